import Foundation
import MediaPipeImages
package import SwiftletImage
import SwiftletImageCodecs

/// Images as MediaPipe's own loader decodes them.
///
/// One byte in twenty differs from libjpeg's, by up to 3. That is enough to move a point of a pose by a hundredth of
/// the image, so results are compared on the same pixels.
package enum MediaPipeImage {
  /// The pixels of an image, as they are stored.
  package static func decode(path: String) throws -> ImageBuffer {
    let known = try ImageDecoder.decode(path: path).image
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var pixels = [UInt8](repeating: 0, count: 3 * known.width * known.height)
    let isDecoded = swiftlet_test_mediapipe_jpeg(
      bytes, bytes.count, &pixels, Int32(known.width), Int32(known.height))
    // Other formats have one meaning.
    guard isDecoded == 1 else { return known }
    return try ImageBuffer(bytes: pixels, width: known.width, height: known.height, pixelFormat: .rgb8)
  }
}
