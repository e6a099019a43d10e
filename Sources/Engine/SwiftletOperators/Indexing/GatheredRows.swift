/// Copies of the rows that indices name.
///
/// What differs from call to call (the width of an index, the size of a row) is settled before the loops, which look at
/// nothing but indices and bytes.
extension IndexTensor.Values {
  /// The first of some positions whose index is not in `0 ..< size`.
  func position(outside size: Int, in positions: Range<Int>) -> Int? {
    @inline(__always) func areInside(_ index: (Int) -> Int) -> Bool {
      var outside = false
      for position in positions {
        let index = index(position)
        // One comparison: as an unsigned number a negative index is larger than any size.
        outside = outside || UInt(bitPattern: index) >= UInt(bitPattern: size)
      }
      return !outside
    }
    let start = start, isInside: Bool
    switch type {
    case .int32: isInside = areInside { Int(start.load(fromByteOffset: $0 &* 4, as: Int32.self)) }
    default: isInside = areInside { self[$0] }
    }
    return isInside ? nil : positions.first { !(0..<size).contains(self[$0]) }
  }

  /// Copies a row for each of some positions, one behind the other.
  ///
  /// - Parameters:
  ///   - bytes: size of a row.
  ///   - source: the row of index 0. Every index names a row behind it.
  func copyRows(
    _ positions: Range<Int>, of bytes: Int, from source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer
  ) {
    @inline(__always) func copy(_ move: (UnsafeRawPointer, UnsafeMutableRawPointer) -> Void) {
      var target = destination
      guard type == .int32 else {
        for position in positions {
          move(source + self[position] &* bytes, target)
          target += bytes
        }
        return
      }
      for position in positions {
        move(source + Int(start.load(fromByteOffset: position &* 4, as: Int32.self)) &* bytes, target)
        target += bytes
      }
    }
    switch bytes {
    case 4: copy { $1.storeBytes(of: $0.loadUnaligned(as: UInt32.self), as: UInt32.self) }
    case 64...1024:
      let last = bytes &- 64
      copy { from, to in
        // The last part ends with the last byte and may repeat some of the one before.
        var offset = 0
        while offset < last {
          moveSixtyFour(from + offset, to + offset)
          offset &+= 64
        }
        moveSixtyFour(from + last, to + last)
      }
    default: copy { moveBytes(bytes, from: $0, to: $1) }
    }
  }
}

/// Four loads and then four stores, which wait for each other less than pairs of them.
@inline(__always)
private func moveSixtyFour(_ source: UnsafeRawPointer, _ destination: UnsafeMutableRawPointer) {
  let a = source.loadUnaligned(as: SIMD2<UInt64>.self)
  let b = source.loadUnaligned(fromByteOffset: 16, as: SIMD2<UInt64>.self)
  let c = source.loadUnaligned(fromByteOffset: 32, as: SIMD2<UInt64>.self)
  let d = source.loadUnaligned(fromByteOffset: 48, as: SIMD2<UInt64>.self)
  destination.storeBytes(of: a, as: SIMD2<UInt64>.self)
  destination.storeBytes(of: b, toByteOffset: 16, as: SIMD2<UInt64>.self)
  destination.storeBytes(of: c, toByteOffset: 32, as: SIMD2<UInt64>.self)
  destination.storeBytes(of: d, toByteOffset: 48, as: SIMD2<UInt64>.self)
}
