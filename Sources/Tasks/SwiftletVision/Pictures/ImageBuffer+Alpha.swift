package import SwiftletImage

extension ImageBuffer {
  /// The picture with straight colours, given that its colours are multiplied by their alpha, as Apple's frameworks
  /// keep them.
  ///
  /// - Returns: the picture itself when all of it is opaque. Without alpha channel, or where alpha is 0, colours stay
  ///   as they are.
  package func withStraightColors() throws -> ImageBuffer {
    guard pixelFormat.hasAlpha else { return self }
    var bytes = packedBytes()
    guard let translucent = stride(from: 3, to: bytes.count, by: 4).first(where: { bytes[$0] < 255 }) else {
      return self
    }
    for index in stride(from: translucent, to: bytes.count, by: 4) where (1..<255).contains(bytes[index]) {
      let alpha = Int(bytes[index])
      for color in index - 3..<index {
        bytes[color] = UInt8(min((Int(bytes[color]) * 255 + alpha / 2) / alpha, 255))
      }
    }
    return try ImageBuffer(bytes: bytes, width: width, height: height, pixelFormat: pixelFormat)
  }
}
