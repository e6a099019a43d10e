import CoreMedia
import SwiftletSyntheticData
import Testing
import UIKit

/// Runs app code for Apple's platforms (`Tests/Facades/AppleClients`) on images like those of a phone.
@Suite("App services with a camera", .timeLimit(.minutes(5)))
struct CameraServiceTests {
  /// A synthetic image of one object that the bundled models recognize.
  private struct Drawn {
    let rgb: [UInt8]
    let box: CGRect
    let name: String
    let width = 240
    let height = 180

    init(_ number: Int) throws {
      let scene = Scene(.classification, seed: 21, number: number, width: 240, height: 180).withoutCameraFaults()
      let drawn = try scene.drawn()
      rgb = try drawn.image.converted(to: .rgb8).packedBytes()
      let box = drawn.objects[0].box
      name = drawn.objects[0].category.name
      self.box = CGRect(
        x: CGFloat(box.left) * 240, y: CGFloat(box.top) * 180, width: CGFloat(box.right - box.left) * 240,
        height: CGFloat(box.bottom - box.top) * 180)
    }

    private func color(_ x: Int, _ y: Int) -> [UInt8] { Array(rgb[3 * (width * y + x)..<3 * (width * y + x) + 3]) }

    /// Returns a camera frame with the colors of HD video.
    func frame(_ index: Int) -> CMSampleBuffer {
      var blocks: [BroadcastColor] = []
      for y in stride(from: 0, to: height, by: 2) {
        for x in stride(from: 0, to: width, by: 2) {
          blocks.append(BroadcastColor(color(x, y), red: 0.2126, blue: 0.0722, isFull: true))
        }
      }
      let pixels = PixelBuffers.planar(
        blocks, width: width, height: height, isFull: true, matrix: kCVImageBufferYCbCrMatrix_ITU_R_709_2)
      return CMSampleBuffer(stub: pixels, time: CMTime(value: CMTimeValue(index), timescale: 30))
    }

    var photograph: UIImage {
      let rgba = stride(from: 0, to: rgb.count, by: 3).flatMap { rgb[$0..<$0 + 3] + [255] }
      return UIImage(cgImage: CGImage(stub: Array(rgba), width: width, height: height))
    }
  }

  @Test("detect and track an object in camera frames")
  func frames() throws {
    let drawn = try Drawn(4)
    let service = CameraLabelService(threshold: 0)
    var identifiers: Set<Int?> = []
    for index in 0..<3 {
      let found = service.objects(in: drawn.frame(index), orientation: .up)
      let (frame, identifier) = try #require(found.first)
      #expect(frame.intersects(drawn.box), "\(frame), \(drawn.box)")
      identifiers.insert(identifier?.intValue)
    }
    #expect(identifiers.count == 1 && identifiers.first != .some(nil))
  }

  @Test("classify a photo, awaited and with a handler")
  func photographs() async throws {
    let drawn = try Drawn(4)
    let service = CameraLabelService(threshold: 0)
    #expect(try await service.labels(of: drawn.photograph).first == drawn.name)
    #expect(try await service.labels(of: UIImage()).isEmpty)
  }
}
