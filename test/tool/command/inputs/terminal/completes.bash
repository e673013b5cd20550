# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Prints what the completion in the file $1 offers for several lines that end in a word to complete.

source "$1"
offer() {
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  _sendwright
  echo "$*:${COMPREPLY[*]:+ ${COMPREPLY[*]}}"
}
offer sendwright tra
offer sendwright trace ""
offer sendwright trace matrix --s
offer sendwright plan --o
offer sendwright plan --choose ""
offer sendwright plan --threshold ""
offer sendwright plan --machine trace
offer sendwright show trace
offer sendwright show with
