import SwiftletSchema

extension RuntimeOptions.Limits {
  /// What loops over the elements of a tensor are made for, whatever `rank` allows.
  private static let mostAxes = 8

  /// - Parameter what: the tensor's part in the model: `output`.
  /// - Throws: `limitExceeded` for a tensor of more axes, elements or bytes than the limits allow.
  package func check(_ spec: TensorSpec, _ what: String, at location: RuntimeError.Location?) throws(RuntimeError) {
    guard spec.elementType.bitWidth != nil || spec.elementType == .string else { return }
    guard spec.shape.dimensions.allSatisfy({ $0 >= 0 }), spec.shape.rank <= min(rank, Self.mostAxes) else {
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
