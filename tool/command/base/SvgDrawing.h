// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A drawing of shapes as SVG: it opens in any browser, also inside a page, and drawing it needs no
// other program. Lengths are pixels; y grows downwards. Words may come from a file: they are
// escaped. Attributes are ours, as SVG spells them: `fill="red"`.

#ifndef SENDWRIGHT_TOOL_COMMAND_BASE_SVGDRAWING_H
#define SENDWRIGHT_TOOL_COMMAND_BASE_SVGDRAWING_H

#include <string>
#include <string_view>

namespace sendwright {

class SvgDrawing {
public:
  /// An empty white drawing; browsers show `title` as its name.
  SvgDrawing(double width, double height, std::string_view title);

  /// A line of text whose baseline begins at (x, y).
  void text(double x, double y, std::string_view words, std::string_view attributes = "");
  /// A path in SVG's language: "M0 0L5 5".
  void path(std::string_view steps, std::string_view attributes);
  /// A circle; a browser shows `hint`, if there is one, where the mouse rests on it.
  void circle(double x, double y, double radius, std::string_view attributes,
              std::string_view hint = "");
  /// What paths may name as their end: an arrow head with this colour.
  void defineArrow(std::string_view name, std::string_view colour);

  /// The whole file.
  std::string file() const { return body + "</svg>\n"; }

private:
  std::string body;
};

} // namespace sendwright

#endif
