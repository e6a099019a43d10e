/// Draws plain shapes onto a copy of a picture. Coordinates are in pixels and may lie outside: what does is left out.
public struct Canvas: Sendable {
  /// A colour without transparency.
  public struct Color: Sendable, Hashable {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8

    public init(red: UInt8, green: UInt8, blue: UInt8) {
      self.red = red
      self.green = green
      self.blue = blue
    }

    /// Colours that are easy to tell apart, for numbered things; the same number always has the same colour.
    public static func distinct(_ number: Int) -> Color {
      let palette: [Color] = [
        Color(red: 230, green: 57, blue: 70), Color(red: 29, green: 131, blue: 220), Color(red: 46, green: 160, blue: 67),
        Color(red: 245, green: 166, blue: 35), Color(red: 148, green: 82, blue: 214), Color(red: 20, green: 178, blue: 170),
        Color(red: 226, green: 88, blue: 164), Color(red: 140, green: 100, blue: 60),
      ]
      return palette[((number % palette.count) + palette.count) % palette.count]
    }

    public static let white = Color(red: 255, green: 255, blue: 255)
  }

  public let width: Int
  public let height: Int
  private var bytes: [UInt8]

  /// A canvas that begins as a copy of `image`; transparency is dropped.
  ///
  /// - Throws: `ImageError` when the copy is too large to address.
  public init(_ image: ImageBuffer) throws {
    width = image.width
    height = image.height
    bytes = try image.converted(to: .rgb8).packedBytes()
  }

  /// The picture as drawn so far.
  ///
  /// - Throws: never for a canvas that could be made.
  public func image() throws -> ImageBuffer {
    try ImageBuffer(bytes: bytes, width: width, height: height, pixelFormat: .rgb8)
  }

  /// The width of a line that stands out on a picture of this size.
  public var lineWidth: Int { max(1, min(width, height) / 200 + 1) }

  /// Fills the pixels `x ..< x + width`, `y ..< y + height`.
  public mutating func fillRectangle(x: Int, y: Int, width rectangleWidth: Int, height rectangleHeight: Int, color: Color) {
    let columns = Self.clamped(x, rectangleWidth, to: width)
    let rows = Self.clamped(y, rectangleHeight, to: height)
    for row in rows {
      for column in columns { set(column, row, color) }
    }
  }

  /// Draws the outline of a rectangle, `lineWidth` pixels to the inside.
  public mutating func strokeRectangle(
    x: Int, y: Int, width rectangleWidth: Int, height rectangleHeight: Int, lineWidth: Int, color: Color
  ) {
    let line = min(lineWidth, max(1, min(rectangleWidth, rectangleHeight)))
    fillRectangle(x: x, y: y, width: rectangleWidth, height: line, color: color)
    fillRectangle(x: x, y: y + rectangleHeight - line, width: rectangleWidth, height: line, color: color)
    fillRectangle(x: x, y: y, width: line, height: rectangleHeight, color: color)
    fillRectangle(x: x + rectangleWidth - line, y: y, width: line, height: rectangleHeight, color: color)
  }

  /// Fills a disc around a point.
  public mutating func fillDisc(centerX: Int, centerY: Int, radius: Int, color: Color) {
    let reach = max(0, min(radius, width + height))
    for row in Self.clamped(centerY - reach, 2 * reach + 1, to: height) {
      for column in Self.clamped(centerX - reach, 2 * reach + 1, to: width) {
        let (dx, dy) = (column - centerX, row - centerY)
        if dx * dx + dy * dy <= reach * reach { set(column, row, color) }
      }
    }
  }

  private static func clamped(_ start: Int, _ count: Int, to size: Int) -> Range<Int> {
    let lower = min(max(start, 0), size)
    let (end, overflow) = start.addingReportingOverflow(max(count, 0))
    return lower..<max(lower, overflow ? size : min(end, size))
  }

  private mutating func set(_ column: Int, _ row: Int, _ color: Color) {
    let offset = (row * width + column) * 3
    bytes[offset] = color.red
    bytes[offset + 1] = color.green
    bytes[offset + 2] = color.blue
  }
}
