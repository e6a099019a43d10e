/// How the bytes of a pixel become those of another pixel format.
///
/// Kernels receive a pointer to it.
package struct PixelConversion {
  /// The bytes per pixel: 1, 3, or 4.
  package var sourceBytes: Int
  package var targetBytes: Int
  /// The positions of red, green, and blue in the source. Gray is all three.
  package var red: Int
  package var green: Int
  package var blue: Int
  /// The positions of red and blue in a target that isn't gray; green is in between.
  package var targetRed: Int
  package var targetBlue: Int

  package init(
    sourceBytes: Int, targetBytes: Int, red: Int, green: Int, blue: Int, targetRed: Int, targetBlue: Int
  ) {
    (self.sourceBytes, self.targetBytes) = (sourceBytes, targetBytes)
    (self.red, self.green, self.blue) = (red, green, blue)
    (self.targetRed, self.targetBlue) = (targetRed, targetBlue)
  }
}
