// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gnuplot reads its commands from a file without a name and writes the drawing into another, so
// that neither process waits for the other one. It is started without a shell and without the
// user's settings.

#include "tool/command/Gnuplot.h"

#include "analysis/file/FigureText.h"
#include "analysis/file/FormatError.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>

namespace sendwright {

namespace {

// Colours that people who see few colours can tell apart (M. Okabe and K. Ito, 2008).
constexpr const char *colours[] = {"#0072b2", "#d55e00", "#009e73",
                                   "#cc79a7", "#56b4e9", "#e69f00"};

using DrawingFile = std::unique_ptr<std::FILE, int (*)(std::FILE *)>;

[[noreturn]] void failBecause(const std::string &problem) {
  throw FormatError("gnuplot: " + problem +
                    ", expected the program that draws charts (Debian's package gnuplot-nox)");
}

DrawingFile temporaryFile() {
  DrawingFile file(std::tmpfile(), std::fclose);
  if (!file)
    failBecause(std::string("no temporary file for its commands: ") + std::strerror(errno));
  return file;
}

/// A string of gnuplot's in which nothing has a meaning but the quote itself.
std::string quoted(const std::string &text) {
  std::string made = "'";
  for (const char letter : text)
    made += letter == '\'' ? "''" : std::string(1, letter);
  return made + "'";
}

/// Inline data: a line for each point that the scales can show.
std::string dataOf(const LineChart &chart, std::size_t index) {
  std::string text = formatted("$line%zu << END\n", index);
  for (const auto &[x, y] : chart.lines[index].points)
    if (std::isfinite(x) && std::isfinite(y) && x > 0 && (chart.base == 0 || y > 0))
      text += formatted("%.9g %.9g\n", x, y);
  return text + "END\n";
}

bool hasPoints(const std::string &data) { return data.find('\n') + 1 != data.rfind("END"); }

std::string scriptOf(const LineChart &chart) {
  std::string script = "set terminal svg size 640,400 font 'sans-serif,12' background 'white'\n"
                       "set encoding utf8\n"
                       "set grid linecolor rgb '#dddddd' linetype 1\n"
                       "set border 3 linecolor rgb '#888888'\n"
                       "set tics nomirror textcolor rgb '#222222'\n"
                       "set bmargin 6\n"
                       "set key horizontal center bottom at screen 0.5, screen 0.02 noenhanced "
                       "textcolor rgb '#222222'\n"
                       "set logscale x 2\n";
  script += "set title " + quoted(chart.title) + " noenhanced\n";
  script += "set xlabel " + quoted(chart.acrossTitle) + " noenhanced\n";
  script += "set ylabel " + quoted(chart.upTitle) + " noenhanced\n";
  script += chart.base > 0 ? formatted("set logscale y %g\n", chart.base) : "set yrange [0:*]\n";
  std::string plots;
  for (std::size_t index = 0; index < chart.lines.size(); ++index) {
    const ChartLine &line = chart.lines[index];
    const std::string data = dataOf(chart, index);
    if (!hasPoints(data))
      continue;
    script += data;
    plots +=
        (plots.empty() ? "plot " : ", ") + formatted("$line%zu using 1:2 with ", index) +
        (line.model ? "lines dashtype '--'" : "linespoints pointtype 7 pointsize 0.5") +
        formatted(" linewidth 1.5 linecolor rgb '%s' title ", colours[index % std::size(colours)]) +
        quoted(line.name);
  }
  // Without a point there is no range: an empty frame.
  return script + (plots.empty() ? "set xrange [1:2]\nset yrange [1:2]\nplot NaN notitle" : plots) +
         "\n";
}

/// Runs gnuplot; throws where it says that something is wrong.
void runGnuplot(std::FILE *commands, std::FILE *drawing) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(commands), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(drawing), STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::string words[] = {"gnuplot", "-d", "-"};
  char *const arguments[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  pid_t child = -1;
  const int error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    failBecause(std::string("cannot be started: ") + std::strerror(error));
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      failBecause(std::string("cannot be waited for: ") + std::strerror(errno));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    failBecause("ended with an error");
}

std::string contentOf(std::FILE *file) {
  std::string text;
  char part[8192];
  std::rewind(file);
  for (std::size_t length = 0; (length = std::fread(part, 1, sizeof part, file)) > 0;)
    text.append(part, length);
  return text;
}

} // namespace

std::string svgOf(const LineChart &chart) {
  const DrawingFile commands = temporaryFile(), drawing = temporaryFile();
  const std::string script = scriptOf(chart);
  if (std::fwrite(script.data(), 1, script.size(), commands.get()) != script.size() ||
      std::fflush(commands.get()) != 0)
    failBecause(std::string("its commands cannot be written: ") + std::strerror(errno));
  std::rewind(commands.get());
  runGnuplot(commands.get(), drawing.get());
  std::string svg = contentOf(drawing.get());
  if (svg.find("</svg>") == std::string::npos)
    failBecause("drew nothing");
  // A browser shows it as the drawing's name.
  if (const std::size_t title = svg.find("<title>Gnuplot</title>"); title != std::string::npos)
    svg.replace(title + 7, 7, chart.title);
  return svg;
}

} // namespace sendwright
