import Foundation
import MediaPipeImages
package import SwiftletImage
import SwiftletImageCodecs

/// Images as decoded by MediaPipe's own loader.
///
/// One byte in twenty differs from libjpeg's, by up to 3. That is enough to move a pose landmark by a hundredth of the
/// image, so results are compared on the same pixels.
package enum MediaPipeImage {
  /// Returns the pixels of an image in stored orientation.
  package static func decode(path: String) throws -> ImageBuffer {
    let known = try ImageDecoder.decode(path: path).image
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var pixels = [UInt8](repeating: 0, count: 3 * known.width * known.height)
    let isDecoded = swiftlet_test_mediapipe_jpeg(
      bytes, bytes.count, &pixels, Int32(known.width), Int32(known.height))
    // Other formats decode the same everywhere.
    guard isDecoded == 1 else { return known }
    return try ImageBuffer(bytes: pixels, width: known.width, height: known.height, pixelFormat: .rgb8)
  }
}
