import MLKit
import SwiftletTestSupport
import Testing

@Suite("App services using ML Kit's modules", .timeLimit(.minutes(30)))
struct ClientTests {
  /// The bundled localizer by name, because other tests change the default.
  private static var localizer: LocalModel {
    LocalModel(path: TestData.packagePath + "/Models/object_detector_int8.tflite")
  }

  @Test("detect an object, with every form of the call")
  func detection() async throws {
    let drawn = try DrawnImage(4)
    let options = EverythingOptions()
    options.localizerModel = Self.localizer
    let service = DetectorService(options: options)
    let blocking = try await service.findings(in: drawn.image)
    #expect(blocking.first.map { $0.rectangle.intersects(drawn.box) } == true && blocking.first?.identifier == nil)
    #expect(try await service.awaited(drawn.image) == blocking)
    let buffer = drawn.buffer
    #expect(try await service.inTask(VisionImage(imageBuffer: buffer)).value == blocking.count)
    #expect(service.lastDuration > 0 && DetectorService(modelName: "none") == nil)
  }

  @Test("track it through a stream")
  func stream() async throws {
    let drawn = try DrawnImage(4)
    let options = ObjectDetectorOptions()
    options.localizerModel = Self.localizer
    let service = DetectorService(options: options)
    var identifiers: Set<Int?> = []
    for _ in 0..<4 { identifiers.formUnion(try await service.findings(in: drawn.image).map(\.identifier)) }
    #expect(identifiers.count == 1 && identifiers.first != .some(nil))
  }

  @Test("classify an image, with every form of the call")
  func labels() async throws {
    let fixtures = try Fixtures()
    let service = LabelService(model: fixtures.classifier, threshold: 0.3)
    let buffer = try ImageBuffer(bytes: [200, 100, 10], width: 1, height: 1, pixelFormat: .rgb8)
    #expect(try service.best(in: MLImage(imageBuffer: buffer)).map { $0.text } == "red")
    #expect(await service.awaited(VisionImage(imageBuffer: buffer)) == 2)
    #expect(await LabelService.shared.awaited(VisionImage(imageBuffer: try DrawnImage(0).buffer)) >= 0)
    let points = [VisionPoint(x: 1, y: 2), Vision3DPoint(x: 3, y: 6, z: 9)]
    #expect(LabelService.center(of: points) == CGPoint(x: 2, y: 4) && LabelService.center(of: []) == nil)
  }

  @Test("report a missing model")
  func remote() async throws {
    await #expect(throws: (any Error).self) { try await DetectorService.cleared("nothing") }
  }
}
