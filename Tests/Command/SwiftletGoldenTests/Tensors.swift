import SwiftletGolden
import SwiftletSchema

/// Creates tensors from their numbers.
enum Tensors {
  static func floats(_ values: [Float], shape: [Int]? = nil) throws -> GoldenTensor {
    try GoldenTensor(
      elementType: .float32, shape: shape ?? [values.count], bytes: values.flatMap { bytes($0.bitPattern) })
  }

  static func int8s(_ values: [Int8], shape: [Int]? = nil) throws -> GoldenTensor {
    try GoldenTensor(
      elementType: .int8, shape: shape ?? [values.count], bytes: values.map(UInt8.init(bitPattern:)))
  }

  static func int64s(_ values: [Int64]) throws -> GoldenTensor {
    try GoldenTensor(elementType: .int64, shape: [values.count], bytes: values.flatMap { bytes($0) })
  }

  static func strings(_ values: [String]) throws -> GoldenTensor {
    try GoldenTensor(
      elementType: .string, shape: [values.count], bytes: StringTensorBytes.encode(values.map { Array($0.utf8) }))
  }

  static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}

extension ExpectedOutput {
  /// Creates the manifest entry of an output that stores all of `tensor`.
  init(
    _ tensor: GoldenTensor, name: String = "out", scale: Double? = nil, xnnpackDifference: Double? = 0,
    xnnpackMismatches: Int? = nil
  ) {
    let description = GoldenOutput(
      index: 0, name: name, dtype: tensor.elementType.numpyName, shape: tensor.shape,
      quantization: GoldenQuantization(scales: scale.map { [$0] } ?? [], zeroPoints: scale == nil ? [] : [0]),
      xnnpackMaxAbsDiff: xnnpackDifference, xnnpackMismatches: xnnpackMismatches, file: "t", offset: 0,
      bytes: tensor.bytes.count)
    self.init(description: description, shape: tensor.shape, sampleStride: 1, samples: tensor)
  }
}
