extension Canvas {
  /// A line of a legend.
  package struct LegendEntry: Sendable, Hashable {
    /// The colour that the line explains, if any.
    package var swatch: Color?
    /// What the line is about.
    package var name: String
    /// What stands at the end of the line, such as a share.
    package var value: String

    /// A line of a legend.
    package init(swatch: Color? = nil, name: String, value: String = "") {
      self.swatch = swatch
      self.name = name
      self.value = value
    }
  }

  /// Writes a list into the upper left corner, on a plate that lets the picture through.
  ///
  /// Letters get smaller until the list fits. Where that is not enough, names are cut short, and lines that have no
  /// room are counted in the last.
  ///
  /// - Parameter entries: one a line, from the top; nothing is drawn for none.
  package mutating func drawLegend(_ entries: [LegendEntry]) {
    guard !entries.isEmpty else { return }
    var scale = textScale
    while scale > 1, !LegendLayout(entries, width: width, height: height, scale: scale).showsEverything { scale -= 1 }
    let layout = LegendLayout(entries, width: width, height: height, scale: scale)
    let plate = Self.plateSize(letters: layout.columns, scale: scale)
    fillRectangle(
      x: 0, y: 0, width: plate.width, height: plate.height * layout.lines.count, color: .black, opacity: 0.65)
    let letter = BitmapFont.advance * scale
    for (index, line) in layout.lines.enumerated() {
      let left = Self.margin * scale
      let top = index * plate.height + Self.upperMargin * scale
      if let swatch = line.swatch {
        // As high as a capital letter.
        let side = (BitmapFont.rows - 2) * scale
        fillRectangle(x: left, y: top, width: side, height: side, color: swatch)
      }
      drawLetters(line.name, x: left + layout.nameColumn * letter, y: top, scale: scale, color: .white)
      let valueColumn = layout.columns - line.value.count
      drawLetters(line.value, x: left + valueColumn * letter, y: top, scale: scale, color: .white)
    }
  }
}

/// Where the parts of a legend stand, counted in letters.
private struct LegendLayout {
  private(set) var lines: [Canvas.LegendEntry]
  /// Where names begin: behind the swatches, if there are any.
  let nameColumn: Int
  let columns: Int
  let showsEverything: Bool

  init(_ entries: [Canvas.LegendEntry], width: Int, height: Int, scale: Int) {
    let room = max(1, (width / scale - Canvas.margin) / BitmapFont.advance)
    let lineRoom = max(1, height / scale / Canvas.lineHeight)
    lines = entries
    if entries.count > lineRoom {
      lines = Array(entries.prefix(lineRoom - 1))
      lines.append(Canvas.LegendEntry(name: "\(entries.count - lineRoom + 1) more"))
    }
    nameColumn = lines.contains { $0.swatch != nil } ? 2 : 0
    let longestValue = lines.map(\.value.count).max() ?? 0
    // A letter's width between name and value.
    let beside = nameColumn + (longestValue > 0 ? longestValue + 1 : 0)
    let longestName = lines.map(\.name.count).max() ?? 0
    let nameRoom = max(1, min(longestName, room - beside))
    showsEverything = entries.count <= lineRoom && longestName <= nameRoom
    columns = beside + nameRoom
    for index in lines.indices { lines[index].name = Canvas.shortened(lines[index].name, to: nameRoom) }
  }
}
