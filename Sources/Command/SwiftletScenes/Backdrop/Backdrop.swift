/// What is behind everything: a surface seen from above, or a wall with a table before it.
struct Backdrop: Sendable, Hashable {
  private let wall: Texture
  private let table: Texture?
  /// Where the table ends, as a share of the height.
  private let horizon: Float
  private let clutter: [FlatShape]

  /// - Parameter clutter: how many flat things lie about.
  init(clutter: ClosedRange<Int>, _ generator: inout SplitMix64) {
    wall = Texture(&generator)
    table = generator.happens(0.4) ? Texture(&generator) : nil
    horizon = generator.number(0.35, 0.75)
    let count = generator.whole(clutter)
    var shapes: [FlatShape] = []
    for _ in 0..<count { shapes.append(FlatShape(&generator)) }
    self.clutter = shapes
  }

  /// Its main colours.
  var tints: [Tint] { [wall.first, wall.second] + (table.map { [$0.first, $0.second] } ?? []) }

  func paint(on raster: inout Raster) {
    let pixel = 1 / raster.side
    let (width, height) = (raster.width, raster.height)
    let edge = horizon * Float(height)
    raster.samples.withUnsafeMutableBufferPointer { samples in
      var offset = 0
      var row = 0
      while row < height {
        let y = (Float(row) + 0.5) * pixel
        let isTable = table != nil && Float(row) >= edge
        let texture = isTable ? table ?? wall : wall
        // Darker towards where the table meets the wall.
        let tone = table == nil ? 1 : 1 - 0.22 * larger(0, 1 - magnitude(Float(row) - edge) / (0.12 * Float(height)))
        var column = 0
        while column < width {
          let tint = texture.tint((Float(column) + 0.5) * pixel, isTable ? y * 1.6 : y, blur: pixel)
          samples[offset] = tint.red * tone
          samples[offset + 1] = tint.green * tone
          samples[offset + 2] = tint.blue * tone
          offset += 3
          column += 1
        }
        row += 1
      }
    }
    for shape in clutter { shape.paint(on: &raster) }
  }
}
