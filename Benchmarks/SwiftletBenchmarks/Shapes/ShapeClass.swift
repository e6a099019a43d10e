import Swiftlet

/// A class of operators with a space of shapes.
enum ShapeClass: String, CaseIterable, Sendable {
  /// FULLY_CONNECTED and 1×1 CONV_2D.
  case product
  case convolution
  case depthwise
  case transposed
  case pooling
  /// FULLY_CONNECTED of one row, with weights larger than a core's own cache.
  case vectorProduct = "vector product"
  case elementwise

  /// The relative number of draws.
  var weight: Int {
    switch self {
    case .product, .convolution: 5
    case .depthwise, .elementwise: 4
    case .transposed, .pooling, .vectorProduct: 2
    }
  }

  /// Whether the operators multiply matrices: all convolutions, except depthwise convolution.
  var isMatrixProduct: Bool { [.product, .convolution, .transposed].contains(self) }

  /// The types that the engine runs the class with, except for elementwise functions, which have their own.
  var types: [ShapeType] {
    switch self {
    case .product, .vectorProduct, .convolution: ShapeType.allCases
    // Weights of 4 bits are defined for depthwise convolution too, but no converter writes them.
    case .depthwise, .transposed: [.float32, .float16Weights, .int8, .uint8, .dynamicRange, .int16]
    case .pooling, .elementwise: [.float32, .int8, .uint8, .int16]
    }
  }
}

/// The types of an operator's activations and weights.
enum ShapeType: String, CaseIterable, Sendable {
  case float32
  case float16Weights = "float16 weights"
  case int8
  case uint8
  /// float32 activations and int8 weights.
  case dynamicRange = "dynamic range"
  /// int8 activations and int4 weights.
  case int4Weights = "int4 weights"
  /// float32 activations and int4 weights.
  case dynamicRange4 = "dynamic range int4"
  /// int16 activations and int8 weights.
  case int16

  /// The encoding of activations, or `nil` for float32.
  var encoding: OperatorBuilder.Encoding? {
    switch self {
    case .float32, .float16Weights, .dynamicRange, .dynamicRange4: nil
    case .int8, .int4Weights: .int8
    case .uint8: .uint8
    case .int16: .int16
    }
  }

  var weights: ElementType {
    switch self {
    case .float32: .float32
    case .float16Weights: .float16
    case .int8, .dynamicRange, .int16: .int8
    case .uint8: .uint8
    case .int4Weights, .dynamicRange4: .int4
    }
  }

  /// The relative number of draws.
  var weight: Int {
    switch self {
    case .float32, .int8: 4
    case .uint8, .dynamicRange, .int16: 2
    case .float16Weights, .int4Weights, .dynamicRange4: 1
    }
  }
}
