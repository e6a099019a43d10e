import Foundation
import SwiftletImage
@_spi(Facades) import SwiftletTasks
import SwiftletTestSupport
import SwiftletVision
import Testing

@testable import SwiftletTracking

@Suite("Errors and geometry of the object tracker")
struct TrackerErrorTests {
  @Test("rules of classification models have TFLite Support's numbers")
  func faults() {
    #expect(
      ModelFault.allCases.map(\.rawValue) == [
        2, 100, 101, 102, 200, 201, 202, 203, 204, 205, 206, 208, 300, 301, 302, 400, 401, 402,
      ])
    let names = """
      invalidArgument fileNotFound filePermission fileRead metadataSchema associatedFileMissing archive \
      metadataInconsistent processUnits labelCountMismatch scoreCalibration normalizationMissing inputCount \
      inputDimensions inputType outputDimensions outputType outputMissing
      """
    #expect(ModelFault.allCases.map { "\($0)" } == names.split(separator: " ").map(String.init))
  }

  @Test("an error contains the broken rule, with its number at the end")
  func broken() {
    for fault in ModelFault.allCases {
      let error = TaskError.broken(fault, "no")
      #expect(error.code == .invalidModel && error.modelFault == fault && error.message == "no (\(fault.rawValue))")
    }
    #expect(TaskError(.invalidModel, "no").modelFault == nil)
    #expect(TaskError(.invalidModel, "no", .brokenRule(7)).modelFault == nil)
    #expect(TaskError(.modelNotFound, "no", .missingFile(path: "/a")).modelFault == nil)
  }

  // MARK: Geometry

  @Test("a rotated image has swapped width and height", arguments: ImageOrientation.allCases)
  func geometry(orientation: ImageOrientation) throws {
    let geometry = ImageGeometry(width: 200, height: 100, orientation: orientation)
    let isTurned = orientation.swapsWidthAndHeight
    #expect(geometry.uprightWidth == (isTurned ? 100 : 200) && geometry.uprightHeight == (isTurned ? 200 : 100))
    let image = try InputImage(rgb: [UInt8](repeating: 0, count: 60), width: 5, height: 4, orientation: orientation)
    #expect(ImageGeometry(image) == ImageGeometry(width: 5, height: 4, orientation: orientation))
    let box = PixelRect(x: 10, y: 20, width: 30, height: 40)
    let stored: [ImageOrientation: PixelRect] = [
      .up: box, .upMirrored: PixelRect(x: 160, y: 20, width: 30, height: 40),
      .down: PixelRect(x: 160, y: 40, width: 30, height: 40),
      .downMirrored: PixelRect(x: 10, y: 40, width: 30, height: 40),
      .leftMirrored: PixelRect(x: 20, y: 10, width: 40, height: 30),
      .right: PixelRect(x: 20, y: 60, width: 40, height: 30),
      .rightMirrored: PixelRect(x: 140, y: 60, width: 40, height: 30),
      .left: PixelRect(x: 140, y: 10, width: 40, height: 30),
    ]
    #expect(geometry.stored(box) == stored[orientation] && geometry.upright(geometry.stored(box)) == box)
    let region = geometry.regionOfInterest(PixelRect(x: 50, y: 25, width: 100, height: 50))
    #expect(region == NormalizedRect(left: 0.25, top: 0.25, right: 0.75, bottom: 0.75))
    #expect(
      geometry.clipped(PixelRect(x: -10, y: -10, width: 500, height: 500))
        == PixelRect(x: 0, y: 0, width: geometry.uprightWidth, height: geometry.uprightHeight))
    #expect(geometry.clipped(PixelRect(x: geometry.uprightWidth, y: 0, width: 5, height: 5)) == nil)
    #expect(geometry.clipped(PixelRect(x: 0, y: geometry.uprightHeight, width: 5, height: 5)) == nil)
  }

  @Test("an object has its box stored and upright, its ID, labels, score, and prominence")
  func frames() {
    let geometry = ImageGeometry(width: 200, height: 100, orientation: .right)
    // The object is in an upright image of 100 × 200.
    let object = TrackedObject(
      box: PixelRect(x: 10, y: 20, width: 30, height: 40), geometry: geometry, trackingID: 7,
      labels: [ObjectLabel(text: "a", index: 1, confidence: 0.5)], score: 0.75, isPredicted: true)
    #expect(object.box == PixelRect(x: 20, y: 60, width: 40, height: 30))
    #expect(object.uprightBox == PixelRect(x: 10, y: 20, width: 30, height: 40))
    #expect(object.trackingID == 7 && object.score == 0.75 && object.isPredicted && object.labels.first?.text == "a")
    let (across, down) = (25.0 - 50, 40.0 - 100)
    let distance = (across * across + down * down).squareRoot() / 12_500.0.squareRoot()
    let expected = 0.75 * (1200.0 / 20_000).squareRoot() * (1 - 0.5 * distance)
    #expect(abs(object.prominence - expected) < 1e-12)
    let label = ObjectLabel(text: "a", index: 1, confidence: 0.5)
    #expect(label.text == "a" && label.index == 1 && label.confidence == 0.5)
  }
}
