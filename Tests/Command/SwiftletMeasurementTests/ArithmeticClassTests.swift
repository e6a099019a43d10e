import SwiftletMeasurement
import SwiftletEngine
import SwiftletTestSupport
import Testing

@Suite("Arithmetic classes")
struct ArithmeticClassTests {
  @Test(
    "published models have the class in their names", .enabled(if: TestData.has("models"), "\(TestData.skipReason)"),
    arguments: [
      ("classification/mobilenet_v1_0.25_224_float.tflite", ArithmeticClass.float32),
      ("embedding/mobilenet_v3_small_embedder_random_f16.tflite", .float32),
      ("classification/mobilenet_v1_0.25_224_quant.tflite", .bytes),
      ("classification/efficientnet_lite0_features_int8.tflite", .bytes),
      ("classification/mobilenet_v1_0.25_224_dynamic_int8.tflite", .dynamicRange),
      ("classification/mobilenet_v1_0.25_224_int16x8.tflite", .int16),
    ].filter { TestData.has("models/" + $0.0) })
  func published(model: String, kind: ArithmeticClass) throws {
    #expect(ArithmeticClass(try Model(contentsOf: TestData.path("models/" + model))) == kind)
  }
}
