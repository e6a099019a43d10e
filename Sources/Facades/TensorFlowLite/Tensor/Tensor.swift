public import Foundation
import SwiftletEngine

/// An input or output of a graph, with a copy of what it held when it was asked for.
public struct Tensor: Equatable, Hashable, Sendable {
  /// The tensor's name in the graph, also where it is reached by a signature.
  public let name: String
  /// The type of the elements.
  public let dataType: DataType
  /// The sizes of the dimensions.
  public let shape: Shape
  /// The elements, row-major.
  public let data: Data
  /// What the integers stand for; `nil` for a tensor that is not quantised. Of parameters per channel the first are
  /// told.
  public let quantizationParameters: QuantizationParameters?

  init(
    name: String, dataType: DataType, shape: Shape, data: Data, quantizationParameters: QuantizationParameters? = nil
  ) {
    self.name = name
    self.dataType = dataType
    self.shape = shape
    self.data = data
    self.quantizationParameters = quantizationParameters
  }
}

/// Which side of a graph a tensor is on, as errors name it.
enum TensorType: String {
  case input
  case output
}

extension Tensor {
  init(_ spec: TensorSpec, dataType: DataType, bytes: UnsafeRawBufferPointer) {
    let scale = spec.quantization?.scales.first ?? 0
    self.init(
      name: spec.name, dataType: dataType, shape: Shape(spec.shape.dimensions), data: Data(bytes),
      quantizationParameters: scale == 0
        ? nil
        : QuantizationParameters(scale: scale, zeroPoint: spec.quantization?.zeroPoints.first.map(Int.init) ?? 0))
  }
}
