import SwiftletImage
import SwiftletTestSupport
import Testing

@testable import SwiftletVision

@Suite("Models on regions")
struct RegionModelTests {
  /// A model that returns the two pixels of its input as two points.
  private static let model = PassingModel(width: 2, height: 1, outputs: [.init(shape: [1, 6])])

  private func pointModel(_ count: Int = 6) throws -> RegionModel {
    try RegionModel(
      ModelContext(Self.model.base), outputs: [.init(name: "points", count: count)])
  }

  /// Returns a square image of one color, so that every region has the same points: half the input's width from its
  /// left edge, at its lower edge, and with depth 2.
  private func makeImage(_ orientation: ImageOrientation = .up) throws -> InputImage {
    let bytes = (0..<100).flatMap { _ in [1, 1, 2] as [UInt8] }
    return try InputImage(rgb: bytes, width: 10, height: 10, orientation: orientation)
  }

  @Test(
    "landmarks of a region are in stored coordinates, for any orientation",
    arguments: [ImageOrientation.up, .right, .down])
  func points(orientation: ImageOrientation) throws {
    let model = try pointModel()
    var region = NormalizedRect(left: 0.25, top: 0.25, right: 0.75, bottom: 0.75)
    try model.look(at: region, in: makeImage(orientation))
    #expect(try model.landmarks(0).map { isClose($0, 0.5, 0.75, 0.5) } == [true, true])
    #expect(try model.landmarks(0, depthScale: 0.5).map { isClose($0, 0.5, 0.75, 1) } == [true, true])
    region.rotation = .pi / 2
    try model.look(at: region, in: makeImage(orientation))
    // Its lower edge is on the left.
    #expect(try model.landmarks(0).map { isClose($0, 0.25, 0.5, 0.5) } == [true, true])
    #expect(try model.value(0) == 1)
  }

  @Test("world landmarks are rotated with the region, and not translated")
  func worldPoints() throws {
    let model = try pointModel()
    var region = NormalizedRect(left: 0.25, top: 0.25, right: 0.75, bottom: 0.75)
    try model.look(at: region, in: makeImage())
    #expect(try model.worldLandmarks(0) == [Landmark(x: 1, y: 1, z: 2), Landmark(x: 1, y: 1, z: 2)])
    region.rotation = .pi / 2
    try model.look(at: region, in: makeImage())
    for point in try model.worldLandmarks(0) {
      #expect(abs(point.x + 1) < 1e-6 && abs(point.y - 1) < 1e-6 && point.z == 2)
    }
  }

  @Test("depths are relative to the region's width, or to the length of its upper side in the image")
  func placings() throws {
    let model = try pointModel()
    let bytes = (0..<200).flatMap { _ in [1, 1, 2] as [UInt8] }
    let image = try InputImage(rgb: bytes, width: 20, height: 10)
    // 10 pixels wide and 5 high.
    var region = NormalizedRect(left: 0.25, top: 0.25, right: 0.75, bottom: 0.75)
    for (rotation, side) in [(Float(0), Float(0.5)), (.pi / 2, 1), (.pi, 0.5), (.pi / 4, 0.790_569)] {
      region.rotation = rotation
      try model.look(at: region, in: image)
      // The model's depths are relative to the input's width.
      for point in try model.landmarks(0) { #expect(abs(point.z - 0.5) < 1e-5) }
      for point in try model.landmarks(0, placing: .projection) { #expect(abs(point.z - side) < 1e-5) }
    }
  }

  private func isClose(_ point: NormalizedLandmark, _ x: Float, _ y: Float, _ z: Float) -> Bool {
    abs(point.x - x) < 1e-5 && abs(point.y - y) < 1e-5 && abs(point.z - z) < 1e-5
  }

  @Test("outputs of other sizes and regions without area are rejected")
  func refusals() throws {
    let error = taskError { _ = try pointModel(63) }
    #expect(error?.code == .invalidModel && error?.message.contains("63 numbers (points) in output 0") == true)
    let model = try pointModel()
    let empty = NormalizedRect(left: 0.5, top: 0.5, right: 0.5, bottom: 1)
    #expect(taskError { try model.look(at: empty, in: makeImage()) }?.code == .invalidRegion)
  }

  @Test("a bundle member has the bundle's options")
  func member() {
    let context = ModelContext(BaseOptions(model: .file("bundle.task"), threads: 3)).member("a.tflite")
    #expect(context.options.model == .file("bundle.task").member("a.tflite") && context.options.threads == 3)
  }
}
