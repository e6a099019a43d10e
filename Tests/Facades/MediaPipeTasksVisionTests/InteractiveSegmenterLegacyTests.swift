import Foundation
import MediaPipeTasksVision
import SwiftletTestSupport
import Testing

@Suite("Interactive segmenter")
struct InteractiveSegmenterLegacyTests {
  /// Returns the options of a model whose four masks are the four channels of an image of 8 × 6.
  private func options() -> InteractiveSegmenterLegacyOptions {
    var model = PassingModel(width: 8, height: 6, outputs: [.init(shape: [1, 6, 8, 4], labels: ["r", "g", "b", "a"])])
    model.channels = 4
    let options = InteractiveSegmenterLegacyOptions()
    options.baseOptions.modelBytes = model.bytes
    return options
  }

  private func point(_ x: Double, _ y: Double) -> NormalizedKeypoint {
    NormalizedKeypoint(location: CGPoint(x: x, y: y), label: nil, score: 0)
  }

  @Test("segments the object that a point or scribbles mark")
  func regions() throws {
    let segmenter = try InteractiveSegmenterLegacy(options: options())
    #expect(segmenter.labels == ["r", "g", "b", "a"])
    let image = try TestImage.plain(width: 8, height: 6)
    func marked(_ region: RegionOfInterest) throws -> [Int] {
      let masks = try #require(try segmenter.segment(image: image, regionOfInterest: region).confidenceMasks)
      #expect(masks.count == 4 && masks[0].float32Data[0] == 128)
      return (0..<48).filter { masks[3].float32Data[$0] == 255 }
    }
    #expect(try marked(RegionOfInterest(normalizedKeyPoint: point(0, 0))) == [0, 1, 8])
    #expect(try marked(RegionOfInterest(scribbles: [point(0, 0), point(0.5, 0)])) == [0, 1, 3, 4, 5, 8, 12])
  }

  @Test("has its former name too, with stroke calls that report a missing model")
  func formerName() throws {
    let segmenter = try InteractiveSegmenter(options: options())
    let image = try TestImage.plain(width: 8, height: 6)
    let region = RegionOfInterest(normalizedKeyPoint: point(0, 0))
    #expect(try segmenter.segment(image: image, regionOfInterest: region).confidenceMasks?.count == 4)
    for error in [
      failure { try segmenter.set(image: image) }, failure { _ = try segmenter.segment(strokes: []) },
    ] {
      #expect(error?.code == Int(TasksErrorCode.unimplementedError.rawValue))
      #expect(error?.localizedDescription.contains("segment(image:regionOfInterest:)") == true)
    }
  }

  @Test("regions keep their points")
  func containers() {
    let points = [point(0, 0), point(1, 1)]
    #expect(RegionOfInterest(normalizedKeyPoint: points[0]).keypoint === points[0])
    #expect(RegionOfInterest(normalizedKeyPoint: points[0]).scribbles == nil)
    #expect(RegionOfInterest(scribbles: points).scribbles == points)
    #expect(RegionOfInterest(scribbles: points).keypoint == nil)
    let stroke = Stroke(points: points, brushMode: .lasso, isCompleted: true)
    #expect(stroke.points == points && stroke.brushMode.rawValue == 3 && stroke.isCompleted)
  }

  @Test("calls a completion handler before it returns")
  func completion() throws {
    let options = options()
    options.shouldOutputConfidenceMasks = false
    options.shouldOutputCategoryMask = true
    let segmenter = try InteractiveSegmenterLegacy(options: options)
    let image = try TestImage.plain(width: 8, height: 6)
    var result: InteractiveSegmenterLegacyResult?
    var error: (any Error)?
    segmenter.segment(image: image, regionOfInterest: RegionOfInterest(normalizedKeyPoint: point(0, 0))) {
      (result, error) = ($0, $1)
    }
    #expect(result?.confidenceMasks == nil && result?.categoryMask?.width == 8 && error == nil)
    segmenter.segment(image: image, regionOfInterest: RegionOfInterest(scribbles: [])) { (result, error) = ($0, $1) }
    #expect(result == nil && (error as NSError?)?.code == 3)
  }

  @Test("errors have MediaPipe's codes")
  func errors() throws {
    let none = options()
    none.shouldOutputConfidenceMasks = false
    let noMasks = failure { _ = try InteractiveSegmenterLegacy(options: none) }
    #expect(noMasks?.localizedDescription.hasPrefix("INVALID_ARGUMENT: At least one of") == true)
    let segmenter = try InteractiveSegmenterLegacy(options: options())
    let image = try TestImage.plain()
    let nowhere = failure {
      _ = try segmenter.segment(
        image: image, regionOfInterest: RegionOfInterest(normalizedKeyPoint: point(.nan, 0)))
    }
    #expect(nowhere?.code == 3 && nowhere?.localizedDescription.contains("must be finite") == true)
    #expect(failure { _ = try InteractiveSegmenterLegacy(modelPath: "/nowhere.tflite") }?.code == 5)
  }

  @Test("options are copied")
  func copies() throws {
    let options = options()
    options.displayNamesLocale = "de"
    options.shouldOutputConfidenceMasks = false
    options.shouldOutputCategoryMask = true
    let copy = try #require(options.copy() as? InteractiveSegmenterLegacyOptions)
    #expect(copy !== options && copy.baseOptions.modelBytes == options.baseOptions.modelBytes)
    #expect(copy.displayNamesLocale == "de" && !copy.shouldOutputConfidenceMasks && copy.shouldOutputCategoryMask)
  }
}
