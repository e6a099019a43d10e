#if SWIFTLET_AVX2 || SWIFTLET_AVX512
  import SwiftletKernels
  import _Builtin_intrinsics.intel

  /// The sampling of four adjacent pixels of a tensor row at once, of three or four channels.
  ///
  /// The four image pixels around a position are two pairs of adjacent pixels, one in each of two rows. A pair is read
  /// with one load of eight bytes. The results have the same bytes as those of ``FourTaps``.
  struct QuadSampling {
    private typealias Words = SIMD4<Int64>
    private typealias Positions = SIMD4<Int32>

    private let origin: UnsafeRawPointer
    private let strides: (column: Words, row: Words)
    /// From the upper pair of pixels to the eight bytes that contain the lower one.
    private let down: Int
    /// The largest positions inside the image, in units of 1/32 pixel.
    private let limits: (x: Positions, y: Positions)
    private let hasZeroBorder: Bool
    /// Byte orders that make the two bytes of each channel adjacent.
    private let orders: (upper: Words, lower: Words)
    /// The horizontal weights, as a linear function of the fraction: two bytes in each half of a lane.
    private let weights: (start: Int32, slope: Int32)
    private let isOpaque: Bool

    /// Whether the pixels of a row can be sampled with pairs: not if the image is too narrow, too low, or too large.
    @inline(__always)
    static func isApplicable(to row: SampledRow) -> Bool {
      // Positions of at most 2²⁶ pixels fit 32 bits.
      row.sampledBytes > 1 && row.source.width > 1 && row.source.width <= 1 << 26 && row.source.height > 1
        && row.source.height <= 1 << 26 && row.source.rowStride < 1 << 31
    }

    @inline(__always)
    init(_ row: SampledRow, _ origin: UnsafeRawPointer) {
      let source = row.source
      let isMirrored = source.columnStride < 0
      let pixelBytes = isMirrored ? 0 &- source.columnStride : source.columnStride
      // The left pixel of a pair in memory.
      self.origin = origin + (isMirrored ? source.columnStride : 0)
      strides = (Words(repeating: Int64(source.columnStride)), Words(repeating: Int64(source.rowStride)))
      // Of pairs of three channels, eight bytes have two bytes too many. In the upper row, they are after the pair,
      // where the lower row follows. In the lower row, they are before the pair, where the upper row is.
      let spare = pixelBytes == 3 ? 2 : 0
      down = source.rowStride &- spare
      limits = (
        Positions(repeating: Int32(truncatingIfNeeded: (source.width &- 1) &* 32)),
        Positions(repeating: Int32(truncatingIfNeeded: (source.height &- 1) &* 32))
      )
      hasZeroBorder = row.source.hasZeroBorder
      isOpaque = row.sampledBytes == 3
      let channels = row.red | (row.green &<< 16) | (row.blue &<< 32) | (isOpaque ? 0 : 3 &<< 48)
      let pixel = channels &* 0x0101 &+ pixelBytes &* 0x0100_0100_0100_0100
      let two = pixel &+ 0x0808_0808_0808_0808
      let upper = Words(Int64(pixel), Int64(two), Int64(pixel), Int64(two))
      orders = (upper, upper &+ Words(repeating: Int64(spare &* 0x0101_0101_0101_0101)))
      weights = isMirrored ? (8192 &* 65537, -255 &* 65537) : (32 &* 65537, 255 &* 65537)
    }

    /// Writes four pixels, or returns `false` if some of them are at the edge of an image with a black border.
    @inline(__always)
    func write(_ block: WarpPath.Block, _ column: Int, _ pixels: UnsafeMutableRawPointer) -> Bool {
      let positions = block.positions(SIMD4(repeating: Double(column &- block.start)) + SIMD4(0, 1, 2, 3))
      var (x, y) = (Self.rounded(positions.x), Self.rounded(positions.y))
      if hasZeroBorder {
        // A difference is negative if the position is outside.
        let beyond = x | (limits.x &- 1 &- x) | y | (limits.y &- 1 &- y)
        if Self.signs(beyond) != 0 {
          let outside = (x &+ 32) | (limits.x &+ 31 &- x) | (y &+ 32) | (limits.y &+ 31 &- y)
          guard Self.signs(outside) == 15 else { return false }
          store(0, 0, pixels)
          return true
        }
      } else {
        (x, y) = (Self.clamped(x, limits.x), Self.clamped(y, limits.y))
      }
      let columns = Self.minimum(x &>> 5, (limits.x &>> 5) &- 1), rows = Self.minimum(y &>> 5, (limits.y &>> 5) &- 1)
      let (right, below) = (x &- (columns &<< 5), y &- (rows &<< 5))

      let offsets =
        _mm256_mul_epi32(Self.widened(columns), strides.column) &+ _mm256_mul_epi32(Self.widened(rows), strides.row)
      let (a, b, c, d) = (
        origin + Int(offsets[0]), origin + Int(offsets[1]), origin + Int(offsets[2]), origin + Int(offsets[3])
      )
      let across = Self.permuted(right &* weights.slope &+ weights.start, SIMD8(0, 0, 1, 1, 2, 2, 3, 3))
      let upper = _mm256_maddubs_epi16(_mm256_shuffle_epi8(Self.load(a, b, c, d), orders.upper), across)
      let lower = _mm256_maddubs_epi16(
        _mm256_shuffle_epi8(Self.load(a + down, b + down, c + down, d + down), orders.lower), across)
      let vertical = below &* 65535 &+ 32
      let even = Self.rounded(
        _mm256_madd_epi16(
          _mm256_unpacklo_epi16(upper, lower), Self.permuted(vertical, SIMD8(0, 0, 0, 0, 2, 2, 2, 2))))
      let odd = Self.rounded(
        _mm256_madd_epi16(
          _mm256_unpackhi_epi16(upper, lower), Self.permuted(vertical, SIMD8(1, 1, 1, 1, 3, 3, 3, 3))))
      let values = _mm256_packus_epi32(even, odd)
      // The low bytes of the lanes, without the fourth lane of opaque pixels.
      let four = Int64(0x0E0C_0A08_0604_0200), three = Int64(bitPattern: 0x8080_0C0A_0804_0200)
      let order = isOpaque ? three : four
      let bytes = _mm256_shuffle_epi8(values, Words(order, -1, order, -1))
      store(bytes[0], bytes[2], pixels)
      return true
    }

    /// Stores two pixels of each argument.
    @inline(__always)
    private func store(_ first: Int64, _ second: Int64, _ pixels: UnsafeMutableRawPointer) {
      if isOpaque {
        pixels.storeBytes(of: first | (second &<< 48), as: Int64.self)
        pixels.storeBytes(of: Int32(truncatingIfNeeded: second &>> 16), toByteOffset: 8, as: Int32.self)
      } else {
        pixels.storeBytes(of: first, as: Int64.self)
        pixels.storeBytes(of: second, toByteOffset: 8, as: Int64.self)
      }
    }

    @inline(__always)
    private static func load(
      _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ c: UnsafeRawPointer, _ d: UnsafeRawPointer
    ) -> Words {
      Words(
        a.loadUnaligned(as: Int64.self), b.loadUnaligned(as: Int64.self), c.loadUnaligned(as: Int64.self),
        d.loadUnaligned(as: Int64.self))
    }

    /// Rounds to the nearest integers, ties to even.
    @inline(__always)
    private static func rounded(_ positions: SIMD4<Double>) -> Positions {
      unsafeBitCast(_mm256_cvtpd_epi32(positions), to: Positions.self)
    }

    /// Rounds sums of weights 1024 to bytes.
    @inline(__always)
    private static func rounded(_ sums: Words) -> Words {
      unsafeBitCast((unsafeBitCast(sums, to: SIMD8<Int32>.self) &+ 512) &>> 10, to: Words.self)
    }

    @inline(__always)
    private static func clamped(_ x: Positions, _ limit: Positions) -> Positions {
      minimum(unsafeBitCast(_mm_max_epi32(half(x), SIMD2()), to: Positions.self), limit)
    }

    @inline(__always)
    private static func minimum(_ a: Positions, _ b: Positions) -> Positions {
      unsafeBitCast(_mm_min_epi32(half(a), half(b)), to: Positions.self)
    }

    /// Returns a bit for each negative number.
    @inline(__always)
    private static func signs(_ x: Positions) -> Int32 { _mm_movemask_ps(unsafeBitCast(x, to: SIMD4<Float>.self)) }

    @inline(__always)
    private static func widened(_ x: Positions) -> Words { _mm256_cvtepi32_epi64(half(x)) }

    @inline(__always)
    private static func permuted(_ x: Positions, _ indices: SIMD8<Int32>) -> Words {
      _mm256_permutevar8x32_epi32(
        Words(lowHalf: half(x), highHalf: half(x)), unsafeBitCast(indices, to: Words.self))
    }

    @inline(__always)
    private static func half(_ x: Positions) -> SIMD2<Int64> { unsafeBitCast(x, to: SIMD2<Int64>.self) }
  }
#endif
