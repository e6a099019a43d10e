import Foundation
import SwiftletModels
import SwiftletTestSupport
import SwiftletVision
import Testing

@Suite("Embedded models")
struct EmbeddedModelTests {
  @Test("equal the files of the package", arguments: EmbeddedModel.allCases)
  func areTheFiles(model: EmbeddedModel) throws {
    let file = try Data(contentsOf: URL(fileURLWithPath: TestData.packagePath + "/Models/" + model.fileName))
    #expect(model.bytes == [UInt8](file))
    model.withUnsafeBytes { bytes in
      #expect(Int(bitPattern: bytes.baseAddress) % 64 == 0 && bytes.count == file.count)
    }
  }

  @Test("have documented names")
  func names() {
    let models: [EmbeddedModel] = [.faceDetector, .objectDetector, .imageSegmenter, .imageClassifier, .imageEmbedder]
    let names = ["face_detector", "object_detector", "image_segmenter", "image_classifier", "image_embedder"]
    #expect(models == EmbeddedModel.allCases && models.map(\.rawValue) == names)
    #expect(models.map(\.fileName) == names.map { $0 + "_int8.tflite" })
    for model in models { #expect("\(ModelSource.embedded(model))" == "the bundled \(model.fileName)") }
  }

  @Test("are model sources for tasks, with the same results as the file")
  func sources() throws {
    let source = ModelSource.embedded(.imageClassifier)
    #expect(source == .embedded(.imageClassifier) && source != .embedded(.imageEmbedder))
    #expect("\(source)" == "the bundled image_classifier_int8.tflite" && source.path == nil)
    let image = try InputImage(rgb: (0..<3 * 40 * 30).map { UInt8(truncatingIfNeeded: $0 * 7) }, width: 40, height: 30)
    let file = TestData.packagePath + "/Models/" + EmbeddedModel.imageClassifier.fileName
    let expected = try ImageClassifier(.file(file)).classification(of: image)
    #expect(try ImageClassifier(source).classification(of: image) == expected)
  }
}
