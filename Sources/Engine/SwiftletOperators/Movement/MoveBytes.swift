import SwiftletEngine
import SwiftletSchema

/// Copies `count` bytes between memory that doesn't overlap. Up to some hundred bytes, it makes no function call.
@inline(__always)
func moveBytes(_ count: Int, from source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer) {
  switch count {
  case 1: moveElement(UInt8.self, from: source, to: destination)
  case 2: moveElement(UInt16.self, from: source, to: destination)
  case 4: moveElement(UInt32.self, from: source, to: destination)
  case 8: moveElement(UInt64.self, from: source, to: destination)
  // Two parts, which overlap if the size isn't twice the size of one part.
  case 3: moveEnds(UInt16.self, count, from: source, to: destination)
  case 5...7: moveEnds(UInt32.self, count, from: source, to: destination)
  case 9...15: moveEnds(UInt64.self, count, from: source, to: destination)
  case 16...256:
    // The last vector ends with the last byte, and may overlap the previous one.
    let last = count &- 16
    var offset = 0
    while offset < last {
      moveElement(SIMD2<UInt64>.self, from: source.advanced(by: offset), to: destination.advanced(by: offset))
      offset &+= 16
    }
    moveElement(SIMD2<UInt64>.self, from: source.advanced(by: last), to: destination.advanced(by: last))
  default: destination.copyMemory(from: source, byteCount: count)
  }
}

/// Copies the first and the last element of `count` bytes.
@inline(__always)
private func moveEnds<Element: BitwiseCopyable>(
  _ type: Element.Type, _ count: Int, from source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer
) {
  let last = count &- MemoryLayout<Element>.size
  let end = source.loadUnaligned(fromByteOffset: last, as: type)
  moveElement(type, from: source, to: destination)
  destination.storeBytes(of: end, toByteOffset: last, as: type)
}

@inline(__always)
private func moveElement<Element: BitwiseCopyable>(
  _ type: Element.Type, from source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer
) {
  destination.storeBytes(of: source.loadUnaligned(as: type), as: type)
}

/// The current position in nested loops: the byte offsets in source and destination, advanced like an odometer.
struct LoopCursor {
  private(set) var source: Int
  private(set) var destination: Int
  private var positions: SIMD16<Int> = .zero

  /// Creates the cursor at step `index` of the flattened loops.
  init(_ loops: UnsafeBufferPointer<CopyLoop>, at index: Int, source: Int, destination: Int) {
    self.source = source
    self.destination = destination
    var rest = index
    for depth in stride(from: loops.count &- 1, through: 0, by: -1) {
      let loop = loops[depth]
      let (quotient, position) = rest.quotientAndRemainder(dividingBy: loop.count)
      positions[depth] = position
      self.source &+= position &* loop.sourceStride
      self.destination &+= position &* loop.destinationStride
      rest = quotient
    }
  }

  /// Advances the innermost loop by one step, with carry.
  @inline(__always)
  mutating func advance(_ loops: UnsafeBufferPointer<CopyLoop>) {
    var depth = loops.count &- 1
    while depth >= 0 {
      let loop = loops[depth]
      let next = positions[depth] &+ 1
      source &+= loop.sourceStride
      destination &+= loop.destinationStride
      guard next == loop.count else {
        positions[depth] = next
        return
      }
      positions[depth] = 0
      source &-= loop.count &* loop.sourceStride
      destination &-= loop.count &* loop.destinationStride
      depth &-= 1
    }
  }
}

extension NodeView {
  /// Returns the size of an element of input `index`.
  ///
  /// - Throws: An error for types that are packed or have no fixed size.
  func elementBytes(ofInput index: Int) throws -> Int {
    let spec = try input(index)
    guard let bytes = spec.elementType.storedWidth else {
      throw invalid("input \(index) \(spec) has elements of no whole number of bytes")
    }
    return bytes
  }

  /// Returns the integer that represents zero in output `index`: its zero point if it has per-tensor quantization,
  /// otherwise 0.
  func quantizedZero(ofOutput index: Int) -> Int64 {
    guard let spec = try? output(index), spec.elementType.quantizedRange != nil else { return 0 }
    return Int64(spec.quantization?.zeroPoints.first ?? 0)
  }

  /// Checks that quantized values can be moved from an input to an output.
  ///
  /// - Throws: An error if the two tensors have different quantization parameters.
  func requireSameQuantization(input index: Int = 0, output outputIndex: Int = 0) throws {
    let input = try input(index), output = try output(outputIndex)
    guard input.elementType.quantizedRange != nil else { return }
    guard input.quantization?.scales.first == output.quantization?.scales.first,
      input.quantization?.zeroPoints.first == output.quantization?.zeroPoints.first
    else { throw invalid("input \(input) and output \(output) must have the same scale and zero point") }
  }

  /// Returns `axis` counted from the front of the shape.
  ///
  /// - Throws: An error if it is outside `-rank ..< rank`.
  func axis(_ axis: Int, of spec: TensorSpec) throws -> Int {
    guard let resolved = spec.shape.resolvedAxis(axis) else {
      throw invalid("axis \(axis) is outside of \(spec), which has \(spec.shape.rank) axes")
    }
    return resolved
  }
}
