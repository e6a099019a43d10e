import SwiftletTasks
public import SwiftletVision

#if canImport(CoreVideo)
  public import CoreVideo
#endif

/// The mask of an image: for each pixel, the confidence that it belongs to a person.
public final class SegmentationMask: NSObject, @unchecked Sendable {
  // Unchecked because Core Video doesn't declare its buffers `Sendable`; this class has constants only.

  /// The confidences, 0…1, in the orientation of the stored image. This is an addition to ML Kit's API, and available
  /// on every platform.
  public let confidenceMask: ConfidenceMask

  #if canImport(CoreVideo)
    /// The confidences as a pixel buffer of the format `kCVPixelFormatType_OneComponent32Float`, in the orientation of
    /// the stored image. Its rows can have padding.
    public let buffer: CVPixelBuffer
  #endif

  /// Creates a mask.
  ///
  /// - Throws: `TaskError` if there is no memory for the pixel buffer.
  init(_ mask: ConfidenceMask) throws(TaskError) {
    confidenceMask = mask
    #if canImport(CoreVideo)
      buffer = try Self.buffer(of: mask)
    #endif
  }

  #if canImport(CoreVideo)
    private static func buffer(of mask: ConfidenceMask) throws(TaskError) -> CVPixelBuffer {
      var created: CVPixelBuffer?
      // Core Image and Metal can use a buffer with an IOSurface without a copy.
      let attributes = [kCVPixelBufferIOSurfacePropertiesKey as String: [String: Any]()] as CFDictionary
      let status = CVPixelBufferCreate(
        nil, mask.width, mask.height, kCVPixelFormatType_OneComponent32Float, attributes, &created)
      guard status == kCVReturnSuccess, let created else {
        throw TaskError(.failed, "a pixel buffer of \(mask.width) × \(mask.height) could not be created")
      }
      guard CVPixelBufferLockBaseAddress(created, []) == kCVReturnSuccess else {
        throw TaskError(.failed, "the memory of a pixel buffer could not be locked")
      }
      defer { CVPixelBufferUnlockBaseAddress(created, []) }
      guard let memory = CVPixelBufferGetBaseAddress(created) else {
        throw TaskError(.failed, "a pixel buffer has no memory")
      }
      let bytesPerRow = CVPixelBufferGetBytesPerRow(created)
      mask.withPixels { confidences in
        for line in 0..<mask.height {
          let row = confidences[line * mask.width..<(line + 1) * mask.width]
          let bytes = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: row))
          UnsafeMutableRawBufferPointer(start: memory + line * bytesPerRow, count: bytes.count).copyMemory(from: bytes)
        }
      }
      return created
    }
  #endif
}
