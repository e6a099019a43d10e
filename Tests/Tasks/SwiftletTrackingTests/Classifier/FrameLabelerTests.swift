import SwiftletTestSupport
@_spi(Facades) import SwiftletTracking
import Testing

@Suite("Labels of whole images")
struct FrameLabelerTests {
  /// Returns the options of a classifier whose scores are the colors of the image, scaled to one pixel.
  private static func options(_ change: (inout ObjectClassifierOptions) -> Void = { _ in }) -> ObjectClassifierOptions {
    let model = PassingModel(
      type: .uint8, scale: 1 / 255, width: 1, height: 1,
      outputs: [.init(shape: [1, 3], labels: ["red", "green", "blue"])])
    var options = ObjectClassifierOptions(baseOptions: BaseOptions(model: .bytes(model.bytes)))
    change(&options)
    return options
  }

  @Test("cover the whole image, best first, in any orientation", arguments: ImageOrientation.allCases)
  func whole(orientation: ImageOrientation) throws {
    let labeler = try FrameLabeler(options: Self.options())
    let image = try InputImage(
      rgb: (0..<12).flatMap { _ in [51, 204, 102] }, width: 4, height: 3, orientation: orientation)
    let labels = try labeler.labels(of: image)
    #expect(labels.map(\.text) == ["green", "blue", "red"] && labels.map(\.index) == [1, 2, 0])
    #expect(abs((labels.first?.confidence ?? 0) - 0.8) < 0.01 && labeler.labels == ["red", "green", "blue"])
  }

  @Test("are limited by threshold and count")
  func limits() throws {
    let image = try InputImage(rgb: [51, 204, 102], width: 1, height: 1)
    let threshold = try FrameLabeler(options: Self.options { $0.confidenceThreshold = 0.5 })
    #expect(try threshold.labels(of: image).map(\.text) == ["green"])
    let count = try FrameLabeler(options: Self.options { $0.maxLabelCount = 2 })
    #expect(try count.labels(of: image).count == 2)
  }

  @Test("require a classifier")
  func refused() throws {
    #expect(throws: TaskError.self) {
      try FrameLabeler(
        options: ObjectClassifierOptions(baseOptions: BaseOptions(model: .bytes(BoxReadingModel.bytes))))
    }
  }
}
