import SwiftletSchema
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Operator catalog")
struct OperatorCatalogTests {
  @Test("every built-in operator is found by its own type")
  func builtins() {
    var found = 0
    for builtin in BuiltinOperator.allCases {
      guard let type = OperatorCatalog.type(for: .builtin(builtin)) else { continue }
      found += 1
      #expect(type.identity.kind == .builtin(builtin))
    }
    #expect(found > 165)
  }

  @Test(
    "custom operators are found by their names",
    arguments: [
      "AudioSpectrogram", "Convolution2DTransposeBias", "KmeansEmbeddingLookup", "Landmarks2TransformMatrix",
      "MaxPoolingWithArgmax2D",
      "MaxUnpooling2D", "Mfcc", "NGramHash",
      "Resampler", "TFLite_Detection_PostProcess", "TransformLandmarks", "TransformTensorBilinear",
      "aeq.hadamard_rotation",
    ])
  func customs(name: String) {
    #expect(OperatorCatalog.type(for: .custom(name))?.identity.kind == .custom(name))
  }

  @Test("a custom operator of another name is not found")
  func unknown() {
    #expect(OperatorCatalog.type(for: .custom("tflite_detection_postprocess")) == nil)
    #expect(OperatorCatalog.type(for: .custom("")) == nil)
  }
}
