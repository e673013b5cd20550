// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/base/SvgDrawing.h"

#include "analysis/file/Escaping.h"
#include "analysis/file/FigureText.h"

namespace sendwright {

namespace {

std::string withSpace(std::string_view attributes) {
  return attributes.empty() ? "" : " " + std::string(attributes);
}

} // namespace

SvgDrawing::SvgDrawing(double width, double height, std::string_view title)
    : body(formatted("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" "
                     "viewBox=\"0 0 %g %g\" font-family=\"sans-serif\" font-size=\"12\" "
                     "fill=\"#222\">\n",
                     width, height, width, height)) {
  body += "<title>" + escaped(title, TextPlace::Markup) + "</title>\n";
  body += formatted("<rect width=\"%g\" height=\"%g\" fill=\"white\"/>\n", width, height);
}

void SvgDrawing::text(double x, double y, std::string_view words, std::string_view attributes) {
  body += formatted("<text x=\"%.1f\" y=\"%.1f\"", x, y) + withSpace(attributes) + ">" +
          escaped(words, TextPlace::Markup) + "</text>\n";
}

void SvgDrawing::path(std::string_view steps, std::string_view attributes) {
  body += "<path d=\"" + std::string(steps) + "\"" + withSpace(attributes) + "/>\n";
}

void SvgDrawing::circle(double x, double y, double radius, std::string_view attributes,
                        std::string_view hint) {
  body += formatted("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%g\"", x, y, radius) +
          withSpace(attributes) +
          (hint.empty() ? "/>\n"
                        : "><title>" + escaped(hint, TextPlace::Markup) + "</title></circle>\n");
}

void SvgDrawing::defineArrow(std::string_view name, std::string_view colour) {
  body += "<defs><marker id=\"" + std::string(name) +
          "\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" "
          "orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"" +
          std::string(colour) + "\"/></marker></defs>\n";
}

} // namespace sendwright
