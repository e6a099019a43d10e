import Foundation
import Swiftlet
import SwiftletBase
import SwiftletGolden
import SwiftletSchema

/// The difference between the values of two constants.
struct ValueDifference {
  enum Kind: String {
    /// Real numbers: quantized values are dequantized before the comparison.
    case values
    /// Bytes, if the elements aren't plain numbers.
    case bytes
    /// Other shapes, or storage formats that cannot be compared.
    case incomparable
    /// The files require more comparisons than their sizes justify.
    case omitted
  }

  var kind: Kind
  var elementCount = 0
  var differingCount = 0
  /// The largest difference between two elements, or `nil` if an element isn't finite or there are no elements.
  var largest: Double?
  /// The values of small constants.
  var first: String?
  var second: String?
}

/// A constant whose values differ.
struct ConstantDifference {
  var first: Int
  var second: Int
  var values: ValueDifference

  init(first: Int, second: Int, _ values: ValueDifference) {
    self.first = first
    self.second = second
    self.values = values
  }
}

/// Compares the constants of two files.
///
/// Any number of tensors can share one constant, so the number of comparisons is limited by the sizes of the files.
/// Regular files hardly share constants.
struct ConstantComparison {
  private var remainingBytes: Int

  /// The number of elements that are converted at a time.
  private static let stepCount = 1 << 16

  init(fileByteCounts first: Int, _ second: Int) { remainingBytes = 4 * (first + second) + (1 << 20) }

  /// Returns the difference, or `nil` if the constants are equal.
  mutating func difference(_ one: TensorDescription, _ two: TensorDescription) -> ValueDifference? {
    guard let first = one.data, let second = two.data else { return nil }
    remainingBytes -= first.count + second.count
    guard remainingBytes >= 0 else { return ValueDifference(kind: .omitted) }
    let isSameForm = one.type == two.type && one.shape == two.shape && (one.sparsity != nil) == (two.sparsity != nil)
    var result: ValueDifference?
    if one.shape == two.shape, let ours = RealValues(one), let theirs = RealValues(two) {
      // Equal quantized values with different scales represent different numbers.
      let isSameCode = isSameForm && one.quantization == two.quantization
      if isSameCode, first.hasSameBytes(as: second) { return nil }
      result = Self.compare(ours, theirs, isSameCode: isSameCode)
    } else if isSameForm {
      result = Self.compare(first, second)
    } else {
      result = ValueDifference(kind: .incomparable)
    }
    result?.first = one.fewValues
    result?.second = two.fewValues
    return result
  }

  private static func compare(_ ours: RealValues, _ theirs: RealValues, isSameCode: Bool) -> ValueDifference? {
    var result = ValueDifference(kind: .values, elementCount: ours.count)
    var isFinite = true
    var largest = 0.0
    for start in stride(from: 0, to: ours.count, by: stepCount) {
      let range = start..<min(start + stepCount, ours.count)
      if isSameCode, ours.hasSameBytes(as: theirs, range) { continue }
      guard let values = ours.values(range), let others = theirs.values(range) else {
        return ValueDifference(kind: .incomparable)
      }
      for (value, other) in zip(values, others) where value != other && !(value.isNaN && other.isNaN) {
        result.differingCount += 1
        let difference = abs(value - other)
        if difference.isFinite { largest = max(largest, difference) } else { isFinite = false }
      }
    }
    if isFinite { result.largest = largest }
    return result.differingCount == 0 ? nil : result
  }

  private static func compare(_ first: ByteRegion, _ second: ByteRegion) -> ValueDifference? {
    if first.hasSameBytes(as: second) { return nil }
    let count = max(first.count, second.count)
    let common = first.withBytes { ours in second.withBytes { theirs in zip(ours, theirs).count { $0 == $1 } } }
    return ValueDifference(kind: .bytes, elementCount: count, differingCount: count - common)
  }
}

/// The real numbers that a constant represents.
private struct RealValues {
  let count: Int
  private let type: ElementType
  private let width: Int
  private let data: ByteRegion
  private let scales: [Float]
  private let zeroPoints: [Int]
  /// The number of consecutive elements with the same index along the quantized dimension.
  private let inner: Int

  /// Creates the numbers, or `nil` for sparse constants, packed and complex types, strings, and scales in other
  /// tensors.
  init?(_ tensor: TensorDescription) {
    guard let data = tensor.data, tensor.sparsity == nil, tensor.quantization?.blockwise == nil,
      let width = tensor.type.byteWidth, ![.complex64, .complex128, .resource].contains(tensor.type),
      !tensor.type.name.hasPrefix("float8")
    else { return nil }
    let count = Shape(tensor.shape).elementCount
    guard count >= 0, count <= data.count / width else { return nil }
    self.count = count
    self.width = width
    self.data = data
    type = tensor.type
    let isCode = [.int8, .uint8, .int16, .int32].contains(tensor.type)
    let scales = isCode ? tensor.quantization?.scales ?? [] : []
    zeroPoints = isCode ? tensor.quantization?.zeroPoints ?? [] : []
    self.scales = scales
    guard scales.count > 1, let axis = tensor.quantization?.axis else {
      inner = 1
      return
    }
    guard tensor.shape.indices.contains(axis), tensor.shape[axis] == scales.count else { return nil }
    inner = Shape(Array(tensor.shape[(axis + 1)...])).elementCount
  }

  private func region(_ range: Range<Int>) -> ByteRegion? {
    data.slice(offset: range.lowerBound * width, count: range.count * width)
  }

  func hasSameBytes(as other: RealValues, _ range: Range<Int>) -> Bool {
    guard let ours = region(range), let theirs = other.region(range) else { return false }
    return ours.hasSameBytes(as: theirs)
  }

  /// Returns the numbers of a range of elements, or `nil` for a type without numbers.
  func values(_ range: Range<Int>) -> [Double]? {
    guard let bytes = region(range)?.array,
      let tensor = try? GoldenTensor(elementType: type, shape: [range.count], bytes: bytes)
    else { return nil }
    if let values = tensor.floatingPointValues { return values }
    guard let codes = tensor.integerValues else { return nil }
    guard let scale = scales.first, let zeroPoint = zeroPoints.first else { return codes.map { Double($0) } }
    if scales.count == 1 { return codes.map { Double(scale) * (Double($0) - Double(zeroPoint)) } }
    return zip(range, codes).map { index, code in
      let channel = index / inner % scales.count
      return Double(scales[channel]) * (Double(code) - Double(zeroPoints[channel]))
    }
  }
}
