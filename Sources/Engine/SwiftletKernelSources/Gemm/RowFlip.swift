#if SWIFTLET_NEON
  /// The flip that is applied to the bytes of a row before they are multiplied. Reads sixteen bytes at a time, then
  /// eight.
  struct RowFlip {
    private let bytes: SIMD16<UInt8>

    /// - Parameter flip: 0x80808080, or 0.
    @inline(__always)
    init(_ flip: Int32) { bytes = SIMD16(repeating: UInt8(truncatingIfNeeded: flip)) }

    @inline(__always) var isNone: Bool { bytes[0] == 0 }

    @inline(__always)
    func sixteen(_ pointer: UnsafeRawPointer, flips: Bool) -> SIMD16<UInt8> {
      let row = pointer.loadUnaligned(as: SIMD16<UInt8>.self)
      // Subtraction, because the optimizer would split the lanes of an exclusive or into scalars.
      return flips ? row &- bytes : row
    }

    /// Returns the first `count` bytes, at most eight. Bytes past the last one can have any value, because their
    /// weights are zero.
    @inline(__always)
    func first(_ count: Int, _ pointer: UnsafeRawPointer, flips: Bool) -> SIMD8<UInt8> {
      let row = NEON.loadFirstByteRow(min(count, 8), pointer)
      return flips ? row &- bytes.lowHalf : row
    }
  }
#endif
