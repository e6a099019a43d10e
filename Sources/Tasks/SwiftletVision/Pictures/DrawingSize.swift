/// The size in which a bitmap is drawn for a task.
///
/// Bitmaps of up to ``maximumPixelCount`` are drawn as they are. A larger one would take hundreds of megabytes, and is
/// drawn with that many pixels.
package struct DrawingSize: Sendable, Hashable {
  /// 64 MB of four bytes each.
  package static let maximumPixelCount = 1 << 24

  package let width: Int
  package let height: Int

  /// Creates the size for a bitmap of a width and height in pixels.
  package init(bitmapWidth: Int, bitmapHeight: Int) {
    let (across, down) = (Double(bitmapWidth), Double(bitmapHeight))
    let reduction = (across * down / Double(Self.maximumPixelCount)).squareRoot()
    guard reduction > 1 else {
      (width, height) = (bitmapWidth, bitmapHeight)
      return
    }
    // Rounded down, so that there are not more pixels.
    width = max(1, Int(across / reduction))
    height = max(1, Int(down / reduction))
  }
}
