import Foundation
import MediaPipeTasksVision
import SwiftletTestSupport
import Testing

@Suite("Model sources", .enabled(if: TestData.isAvailable, "\(TestData.skipReason)"))
struct ModelSourceTests {
  @Test("a model comes from a path, a file URL, or bytes, with one or two threads and either delegate")
  func sources() throws {
    let photo = try TestImage.image("grace_hopper.jpg")
    let url = URL(fileURLWithPath: TestModel.faces)
    let expected = try FaceDetector(modelPath: TestModel.faces).detect(image: photo).detections.map(\.boundingBox)
    #expect(expected.count == 1)
    let sources: [(BaseOptions) throws -> Void] = [
      { $0.modelURL = url },
      { $0.modelBytes = [UInt8](try Data(contentsOf: url)) },
      {
        $0.modelAssetPath = url.path
        $0.threads = 2
        $0.delegate = .GPU
      },
    ]
    for source in sources {
      let options = FaceDetectorOptions()
      try source(options.baseOptions)
      let detector = try FaceDetector(options: options)
      #expect(try detector.detect(image: photo).detections.map(\.boundingBox) == expected)
    }
  }

  @Test("options may be changed after the task is created")
  func changedOptions() throws {
    let options = ObjectDetectorOptions()
    options.baseOptions.modelAssetPath = TestModel.objects
    options.maxResults = 1
    let detector = try ObjectDetector(options: options)
    options.maxResults = 5
    #expect(try detector.detect(image: TestImage.plain()).detections.count == 1)
  }

  @Test("one task may be called from several threads concurrently")
  func threads() async throws {
    let detector = try FaceDetector(modelPath: TestModel.faces)
    let counts = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask { (try? detector.detect(image: TestImage.plain()).timestampInMilliseconds) ?? -1 }
      }
      return await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(counts == [0, 1000, 2000, 3000])
  }
}
