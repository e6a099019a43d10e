import SwiftletEngine

/// Quantisation with a scale and zero point for every index along one axis, and how such a tensor lies in memory.
struct ChannelQuantization: Sendable {
  /// Products of the dimensions before and behind the axis.
  let outer: Int
  let inner: Int
  let scales: [Float]
  let zeroPoints: [Int32]

  /// Runs of elements that share a scale, in memory order.
  var lineCount: Int { outer &* scales.count }
}

extension NodeView {
  /// The quantisation of `spec` when it is per channel, `nil` when it is not.
  ///
  /// - Throws: when scales, zero points and shape do not fit each other, or a zero point is outside `range`.
  func channelQuantization(of spec: TensorSpec, range: ClosedRange<Int32>) throws -> ChannelQuantization? {
    guard let quantization = spec.quantization, quantization.isPerChannel else { return nil }
    let channels = quantization.scales.count
    guard let axis = spec.shape.resolvedAxis(quantization.axis), spec.shape[axis] == channels else {
      throw invalid("\(spec) has \(channels) scales along axis \(quantization.axis), which is not that long")
    }
    guard quantization.scales.allSatisfy({ $0.isFinite && $0 > 0 }) else {
      throw invalid("\(spec) has a scale that is not a positive number")
    }
    guard quantization.zeroPoints.count == channels || quantization.zeroPoints.count == 1,
      quantization.zeroPoints.allSatisfy(range.contains)
    else { throw invalid("\(spec) has zero points that do not fit its type or its \(channels) scales") }
    let zeroPoints =
      quantization.zeroPoints.count == channels
      ? quantization.zeroPoints : [Int32](repeating: quantization.zeroPoints[0], count: channels)
    return ChannelQuantization(
      outer: spec.shape.elementCount(0..<axis), inner: spec.shape.elementCount((axis + 1)..<spec.shape.rank),
      scales: quantization.scales, zeroPoints: zeroPoints)
  }
}
