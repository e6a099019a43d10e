import TensorFlowLiteTaskVision
import Testing

/// Checks images of Apple's types in the Task Library facade.
@Suite("The Task Library's images")
struct TaskLibraryImageTests {
  private func seen(_ image: MLImage) throws -> [UInt8] {
    let model = try ModelFile.reading(width: 3, height: 2)
    let classifier = try ImageClassifier.classifier(options: ImageClassifierOptions(modelPath: model.path))
    var bytes = [UInt8](repeating: 0, count: 18)
    for category in try classifier.classify(mlImage: image).classifications[0].categories {
      bytes[category.index] = UInt8((category.score * 255).rounded())
    }
    return bytes
  }

  @Test("are processed as stored, for any orientation", arguments: OrientationTests.orientations)
  func stored(orientation: UIImage.Orientation) throws {
    let image = UIImage(cgImage: OrientationTests.bitmap, scale: 1, orientation: orientation)
    #expect(try seen(#require(MLImage(image: image))) == OrientationTests.stored.flatMap { $0 })
  }

  @Test("of buffers can come from cameras")
  func buffers() throws {
    let colors: [[UInt8]] = [[200, 90, 30], [20, 160, 220]]
    let encoded = colors.map { BroadcastColor($0, red: 0.2126, blue: 0.0722, isFull: false) }
    let pixels = PixelBuffers.planar(
      encoded, width: 3, height: 2, isFull: false, matrix: kCVImageBufferYCbCrMatrix_ITU_R_709_2)
    let row = colors[0] + colors[0] + colors[1]
    for image in [MLImage(pixelBuffer: pixels), MLImage(sampleBuffer: CMSampleBuffer(stub: pixels))] {
      let found = try seen(#require(image))
      #expect(zip(found, row + row).allSatisfy { abs(Int($0) - Int($1)) <= 2 }, "\(found)")
    }
    #expect(pixels.stubRecord.lockCount == 0 && pixels.stubRecord.totalLocks == 2)
    #expect(MLImage(sampleBuffer: CMSampleBuffer(stub: nil)) == nil)
    #expect(MLImage(sampleBuffer: CMSampleBuffer(stub: pixels, isValid: false)) == nil)
  }
}
