import SwiftletSchema

/// The dimensions of a tensor, outermost first. Images are NHWC: `[batch, height, width, channels]`.
public struct Shape: Sendable, Hashable, ExpressibleByArrayLiteral, CustomStringConvertible {
  /// The sizes of the axes, never negative in an existing tensor. Empty for a scalar.
  public var dimensions: [Int]

  /// Creates a shape with the given sizes, outermost first.
  public init(_ dimensions: [Int]) { self.dimensions = dimensions }
  /// Creates a shape with the given sizes, outermost first.
  public init(arrayLiteral elements: Int...) { dimensions = elements }

  /// The number of dimensions.
  public var rank: Int { dimensions.count }

  /// The product of all dimensions; 1 for a scalar. On overflow it is `Int.max`, so that every size limit rejects it.
  public var elementCount: Int {
    var product = 1
    var isOverflowing = false
    for dimension in dimensions {
      if dimension == 0 { return 0 }
      let (next, overflow) = product.multipliedReportingOverflow(by: dimension)
      isOverflowing = isOverflowing || overflow
      product = next
    }
    return isOverflowing ? Int.max : product
  }

  /// The product of all nonzero dimensions, or `Int.max` on overflow. It bounds the iterations of a loop over some of
  /// the axes, even if there are no elements.
  package var extent: Int { Shape(dimensions.filter { $0 != 0 }).elementCount }

  /// Accesses the size of an axis.
  public subscript(axis: Int) -> Int {
    get { dimensions[axis] }
    set { dimensions[axis] = newValue }
  }

  /// The last dimension; 1 for a scalar.
  package var innermost: Int { dimensions.last ?? 1 }

  /// Returns the product of `dimensions[range]`, for shapes whose element count is known not to overflow.
  package func elementCount(_ range: Range<Int>) -> Int {
    var product = 1
    for axis in range { product = product &* dimensions[axis] }
    return product
  }

  /// Returns the product of `dimensions[range]`, for shapes whose element count is known not to overflow.
  package func elementCount(_ range: ClosedRange<Int>) -> Int { elementCount(range.lowerBound..<range.upperBound + 1) }

  /// The number of elements to skip per step along each axis of a dense row-major layout.
  package var strides: [Int] {
    var strides = [Int](repeating: 1, count: rank)
    var product = 1
    for axis in stride(from: rank - 1, through: 0, by: -1) {
      strides[axis] = product
      product = product &* dimensions[axis]
    }
    return strides
  }

  /// Returns the axis counted from the front, or `nil` if it is outside `-rank ..< rank`.
  package func resolvedAxis(_ axis: Int) -> Int? {
    guard axis >= -rank, axis < rank else { return nil }
    return axis < 0 ? axis + rank : axis
  }

  /// The sizes in brackets, as in `[1, 224, 224, 3]`.
  public var description: String {
    rank == 0 ? "scalar" : "[" + dimensions.map(String.init).joined(separator: "×") + "]"
  }
}

extension RuntimeOptions.Limits {
  /// The maximum rank that loops over the elements of a tensor support, whatever `rank` allows.
  private static let maximumAxes = 8

  /// Checks a tensor.
  ///
  /// - Parameter what: The tensor's role in the model: `output`.
  /// - Throws: `limitExceeded` if the tensor has more axes, elements, or bytes than the limits allow.
  package func check(_ spec: TensorSpec, _ what: String, at location: RuntimeError.Location?) throws(RuntimeError) {
    guard spec.elementType.bitWidth != nil || spec.elementType == .string else { return }
    guard spec.shape.dimensions.allSatisfy({ $0 >= 0 }), spec.shape.rank <= min(rank, Self.maximumAxes) else {
      throw RuntimeError(
        .limitExceeded, "\(what) \(spec) has a shape outside the limits (rank \(rank))", location: location)
    }
    // An empty tensor takes no bytes, but loops over its other axes must end soon, and counting them must not overflow.
    guard let bytes = spec.storedByteCount, bytes <= tensorBytes, spec.shape.extent <= tensorBytes else {
      throw RuntimeError(
        .limitExceeded, "\(what) \(spec) is larger than the limit of \(tensorBytes) bytes a tensor", location: location)
    }
  }
}
