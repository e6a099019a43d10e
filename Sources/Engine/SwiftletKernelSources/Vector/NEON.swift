#if SWIFTLET_NEON
  /// arm64: 32 registers of 128 bits, two per vector. Armv8.0, or with int8 dot products, depending on the instruction
  /// set.
  ///
  /// `Tools/build-kernels/neon.h` defines the functions.
  enum NEON: VectorISA {
    typealias F = SIMD8<Float>
    typealias I = SIMD8<Int32>

    @inline(__always) static var tileRows: Int { 4 }
    #if SWIFTLET_DOTPROD
      @inline(__always) static var quantizedTileRows: Int { 4 }
    #else
      // Two rows by half a panel already take all registers.
      @inline(__always) static var quantizedTileRows: Int { 2 }
    #endif
    @inline(__always) static var splitsBytes: Bool { false }
    #if SWIFTLET_UNFUSED
      // Products that are added by a separate instruction need registers too.
      @inline(__always) static var multipliesLanes: Bool { false }
      @inline(__always) static var keepsWindowRows: Bool { false }
    #else
      @inline(__always) static var multipliesLanes: Bool { true }
      @inline(__always) static var keepsWindowRows: Bool { true }
    #endif

    @inline(__always) static func add(_ a: F, _ b: F) -> F { swiftlet_add(a, b) }
    #if SWIFTLET_UNFUSED
      @inline(__always) static func multiplyAdd(_ a: F, _ b: F, _ c: F) -> F { swiftlet_multiply_then_add(a, b, c) }
    #else
      @inline(__always) static func multiplyAdd(_ a: F, _ b: F, _ c: F) -> F { swiftlet_multiply_add(a, b, c) }
    #endif
    @inline(__always) static func maximum(_ a: F, _ b: F) -> F { swiftlet_maximum_f32(a, b) }
    @inline(__always) static func minimum(_ a: F, _ b: F) -> F { swiftlet_minimum_f32(a, b) }
    @inline(__always) static func maximum(_ a: I, _ b: I) -> I { swiftlet_maximum_s32(a, b) }
    @inline(__always) static func minimum(_ a: I, _ b: I) -> I { swiftlet_minimum_s32(a, b) }

    @inline(__always) static func bounded(_ x: F, _ lower: F, _ upper: F) -> F { swiftlet_bounded(x, lower, upper) }

    @inline(__always) static func select(signOf x: F, negative: F, positive: F) -> F {
      swiftlet_select_f32(x, negative, positive)
    }
    @inline(__always) static func squareRoot(_ x: F) -> F { swiftlet_square_root(x) }

    @inline(__always) static func toInt(_ x: F) -> I { swiftlet_to_int(x) }
    @inline(__always) static func toIntInRange(_ x: F) -> I { swiftlet_to_int_in_range(x) }
    @inline(__always) static func toIntAwayFromZero(_ x: F) -> I { swiftlet_to_int_away_from_zero(x) }
    @inline(__always) static func toIntTruncating(_ x: F) -> I { swiftlet_to_int_truncating(x) }
    @inline(__always) static func toFloat(_ x: I) -> F { swiftlet_to_float(x) }

    @inline(__always) static func keepingFirst(_ count: Int, _ x: F) -> F {
      let beyond = ramp() &- I(repeating: Int32(truncatingIfNeeded: count))
      return unsafeBitCast(unsafeBitCast(x, to: I.self) & (beyond &>> 31), to: F.self)
    }

    @inline(__always) static func loadSingle(_ pointer: UnsafeRawPointer) -> F { swiftlet_load_single(pointer) }
    @inline(__always) static func loadPair(_ pointer: UnsafeRawPointer) -> (F, F) {
      (swiftlet_load_first_of_pair(pointer), swiftlet_load_second_of_pair(pointer))
    }
    @inline(__always) static func advanced(_ pointer: UnsafeRawPointer, by bytes: Int) -> UnsafeRawPointer {
      swiftlet_advanced(pointer, bytes)
    }
    /// Loads two vectors of integers.
    @inline(__always) static func loadIntPair(_ pointer: UnsafeRawPointer) -> (I, I) {
      let (first, second) = loadPair(pointer)
      return (bits(first), bits(second))
    }

    // There are no masked loads and stores. A tail consists of full registers, then a half, then single lanes.
    @inline(__always) static func loadFirst(_ count: Int, _ pointer: UnsafeRawPointer) -> F {
      unsafeBitCast(loadFirstInts(count, pointer), to: F.self)
    }
    @inline(__always) static func loadFirstInts(_ count: Int, _ pointer: UnsafeRawPointer) -> I {
      if count >= 8 { return loadInts(pointer) }
      if count >= 4 {
        let low = pointer.loadUnaligned(as: SIMD4<Int32>.self)
        return swiftlet_pair_s32(low, firstLanes(count &- 4, pointer + 16))
      }
      return swiftlet_pair_s32(firstLanes(count, pointer), SIMD4())
    }
    /// Returns the first `count` lanes, at most three.
    @inline(__always) private static func firstLanes(_ count: Int, _ pointer: UnsafeRawPointer) -> SIMD4<Int32> {
      var low: Int64 = 0, high: Int64 = 0
      if count >= 2 {
        low = pointer.loadUnaligned(as: Int64.self)
        if count == 3 { high = Int64(pointer.loadUnaligned(fromByteOffset: 8, as: UInt32.self)) }
      } else if count == 1 {
        low = Int64(pointer.loadUnaligned(as: UInt32.self))
      }
      return unsafeBitCast(SIMD2(low, high), to: SIMD4<Int32>.self)
    }
    @inline(__always) static func storeFirst(_ count: Int, _ x: F, _ pointer: UnsafeMutableRawPointer) {
      storeFirst(count, unsafeBitCast(x, to: I.self), pointer)
    }
    @inline(__always) static func storeFirst(_ count: Int, _ x: I, _ pointer: UnsafeMutableRawPointer) {
      if count >= 8 { return store(x, pointer) }
      var part = swiftlet_low_s32(x), left = count, to = pointer
      if left >= 4 {
        to.storeBytes(of: part, as: SIMD4<Int32>.self)
        part = swiftlet_high_s32(x)
        left &-= 4
        to += 16
      }
      let bits = unsafeBitCast(part, to: SIMD2<Int64>.self)
      if left >= 2 {
        to.storeBytes(of: bits.x, as: Int64.self)
        if left == 3 { to.storeBytes(of: Int32(truncatingIfNeeded: bits.y), toByteOffset: 8, as: Int32.self) }
      } else if left == 1 {
        to.storeBytes(of: Int32(truncatingIfNeeded: bits.x), as: Int32.self)
      }
    }

    @inline(__always) static func loadBytes(_ pointer: UnsafeRawPointer) -> I {
      swiftlet_widen_bytes(loadByteRow(pointer))
    }
    @inline(__always) static func loadFirstBytes(_ count: Int, _ pointer: UnsafeRawPointer) -> I {
      swiftlet_widen_bytes(loadFirstByteRow(count, pointer))
    }
    @inline(__always) static func loadInt16(_ pointer: UnsafeRawPointer) -> I {
      swiftlet_widen_halves(swiftlet_load_16(pointer))
    }
    @inline(__always) static func loadFirstInt16(_ count: Int, _ pointer: UnsafeRawPointer) -> I {
      swiftlet_widen_halves(firstInt16(count, pointer))
    }
    @inline(__always) static func loadFloat16(_ pointer: UnsafeRawPointer) -> F {
      swiftlet_widen_float16(swiftlet_load_16(pointer))
    }
    @inline(__always) static func loadFirstFloat16(_ count: Int, _ pointer: UnsafeRawPointer) -> F {
      swiftlet_widen_float16(firstInt16(count, pointer))
    }
    @inline(__always) private static func firstInt16(_ count: Int, _ pointer: UnsafeRawPointer) -> SIMD16<UInt8> {
      var low: Int64 = 0, high: Int64 = 0
      if count >= 4 {
        low = pointer.loadUnaligned(as: Int64.self)
        high = firstBytes((count &- 4) &* 2, pointer + 8)
      } else {
        low = firstBytes(count &* 2, pointer)
      }
      return unsafeBitCast(SIMD2(low, high), to: SIMD16<UInt8>.self)
    }
    /// Returns the first `count` bytes, at most eight.
    @inline(__always) private static func firstBytes(_ count: Int, _ pointer: UnsafeRawPointer) -> Int64 {
      if count >= 8 { return pointer.loadUnaligned(as: Int64.self) }
      var bytes: UInt64 = 0, position = 0
      if count & 4 != 0 {
        bytes = UInt64(pointer.loadUnaligned(as: UInt32.self))
        position = 4
      }
      if count & 2 != 0 {
        let two = UInt64(pointer.loadUnaligned(fromByteOffset: position, as: UInt16.self))
        bytes |= two &<< UInt64(truncatingIfNeeded: 8 &* position)
        position &+= 2
      }
      if count & 1 != 0 {
        let one = UInt64(pointer.load(fromByteOffset: position, as: UInt8.self))
        bytes |= one &<< UInt64(truncatingIfNeeded: 8 &* position)
      }
      return Int64(bitPattern: bytes)
    }
    /// Stores the first `count` bytes, at most eight.
    @inline(__always) private static func storeFirstBytes(
      _ count: Int, of bytes: Int64, _ pointer: UnsafeMutableRawPointer
    ) {
      if count >= 8 { return pointer.storeBytes(of: bytes, as: Int64.self) }
      var rest = UInt64(bitPattern: bytes), to = pointer
      if count & 4 != 0 {
        to.storeBytes(of: UInt32(truncatingIfNeeded: rest), as: UInt32.self)
        rest &>>= 32
        to += 4
      }
      if count & 2 != 0 {
        to.storeBytes(of: UInt16(truncatingIfNeeded: rest), as: UInt16.self)
        rest &>>= 16
        to += 2
      }
      if count & 1 != 0 { to.storeBytes(of: UInt8(truncatingIfNeeded: rest), as: UInt8.self) }
    }

    @inline(__always) static func maximumBytes(_ a: I, _ b: I) -> I { swiftlet_maximum_u8(a, b) }
    @inline(__always) static func minimumBytes(_ a: I, _ b: I) -> I { swiftlet_minimum_u8(a, b) }
    @inline(__always) static func maximumInt16(_ a: I, _ b: I) -> I { swiftlet_maximum_s16(a, b) }
    @inline(__always) static func minimumInt16(_ a: I, _ b: I) -> I { swiftlet_minimum_s16(a, b) }
    @inline(__always) static func storeBytes(_ x: I, _ pointer: UnsafeMutableRawPointer) {
      swiftlet_store_8(swiftlet_low_bytes(x), pointer)
    }
    @inline(__always) static func storeFirstBytes(_ count: Int, _ x: I, _ pointer: UnsafeMutableRawPointer) {
      storeFirstBytes(count, of: unsafeBitCast(swiftlet_low_bytes(x), to: Int64.self), pointer)
    }
    @inline(__always) static func storeInt16(_ x: I, _ pointer: UnsafeMutableRawPointer) {
      swiftlet_store_16(swiftlet_low_halves(x), pointer)
    }
    @inline(__always) static func storeFirstInt16(_ count: Int, _ x: I, _ pointer: UnsafeMutableRawPointer) {
      storeFirst(count &* 2, swiftlet_low_halves(x), pointer)
    }

    #if SWIFTLET_DOTPROD && !SWIFTLET_I8MM
      @inline(__always) static var groupBytes: Int { 4 }
    #else
      @inline(__always) static var groupBytes: Int { 8 }
    #endif
    typealias InputBytes = I
    typealias WeightBytes = I
    // Signed bytes are multiplied with signed ones.
    @inline(__always) static var inputOffset: Int32 { 128 }
    @inline(__always) static func inputBytes(_ x: I, flip: I) -> I { x ^ flip }
    @inline(__always) static func weightBytes(_ x: I) -> I { x }
    @inline(__always) static func dot(_ sum: I, _ input: I, _ weights: I) -> I { swiftlet_dot(sum, input, weights) }

    typealias PanelBytes = SIMD16<UInt8>
    @inline(__always) static func saturatedBytes(
      _ a0: I, _ a1: I, _ b0: I, _ b1: I, zeroPoint: I, lower: I, upper: I, flip: I
    ) -> (PanelBytes, PanelBytes) {
      (
        swiftlet_saturated_bytes(a0, a1, zeroPoint, lower, upper, flip),
        swiftlet_saturated_bytes(b0, b1, zeroPoint, lower, upper, flip)
      )
    }
    @inline(__always) static func boundedBytes(
      _ a0: I, _ a1: I, _ b0: I, _ b1: I, zeroPoint: I, lower: I, upper: I, flip: I
    ) -> (PanelBytes, PanelBytes) {
      (swiftlet_bounded_bytes(a0, a1, zeroPoint, flip), swiftlet_bounded_bytes(b0, b1, zeroPoint, flip))
    }
    @inline(__always) static func storeFirst(_ count: Int, _ x: PanelBytes, _ pointer: UnsafeMutableRawPointer) {
      let bits = unsafeBitCast(x, to: SIMD2<Int64>.self)
      if count >= 8 {
        pointer.storeBytes(of: bits.x, as: Int64.self)
        storeFirstBytes(count &- 8, of: bits.y, pointer + 8)
      } else {
        storeFirstBytes(count, of: bits.x, pointer)
      }
    }

    typealias ByteRow = SIMD8<UInt8>
    @inline(__always) static func loadByteRow(_ pointer: UnsafeRawPointer) -> ByteRow { swiftlet_load_8(pointer) }
    @inline(__always) static func loadFirstByteRow(_ count: Int, _ pointer: UnsafeRawPointer) -> ByteRow {
      unsafeBitCast(firstBytes(count, pointer), to: ByteRow.self)
    }
    @inline(__always) static func interleaved(_ a: ByteRow, _ b: ByteRow, _ c: ByteRow, _ d: ByteRow) -> I {
      swiftlet_interleaved(a, b, c, d)
    }
    @inline(__always) static func interleavedRows(_ a: I, _ b: I, _ c: I, _ d: I) -> (I, I, I, I) {
      (
        swiftlet_interleaved_rows_0(a, b, c, d), swiftlet_interleaved_rows_1(a, b, c, d),
        swiftlet_interleaved_rows_2(a, b, c, d), swiftlet_interleaved_rows_3(a, b, c, d)
      )
    }
    @inline(__always) static func saturatedRow(
      _ a: I, _ b: I, _ c: I, _ d: I, zeroPoint: I, lower: I, upper: I, flip: I
    ) -> I { swiftlet_saturated_row(a, b, c, d, zeroPoint, lower, upper, flip) }
    @inline(__always) static func secondHalf(_ x: PanelBytes) -> PanelBytes {
      PanelBytes(lowHalf: x.highHalf, highHalf: x.highHalf)
    }
    @inline(__always) static func storePixels(
      _ x: PanelBytes, _ first: UnsafeMutableRawPointer, _ second: UnsafeMutableRawPointer
    ) {
      swiftlet_store_8(x.lowHalf, first)
      swiftlet_store_8(x.highHalf, second)
    }

    @inline(__always) static func roundingDoubledHighProduct(_ a: I, _ b: I) -> I {
      swiftlet_rounding_doubled_high_product(a, b)
    }

    @inline(__always) static func scaledSums(
      _ high: I, _ low: I, terms: UnsafeRawPointer, factors: UnsafeRawPointer, roundsUp: Bool
    ) -> I { swiftlet_scaled_sums(high, low, terms, factors, roundsUp ? 1 : 0) }

    @inline(__always) static func elements(of table: UnsafePointer<Int32>, at indices: I) -> I {
      var result = I()
      for lane in 0..<I.scalarCount { result[lane] = table[Int(indices[lane])] }
      return result
    }

    @inline(__always) static func ramp() -> I { I(0, 1, 2, 3, 4, 5, 6, 7) }
    @inline(__always) static func largest(_ x: I) -> Int32 { swiftlet_largest(x) }
    @inline(__always) static func largest(_ a: F, _ b: F, _ c: F, _ d: F) -> SIMD4<Float> {
      swiftlet_largest_of_each(a, b, c, d)
    }
    @inline(__always) static func sum(_ x: I) -> Int32 { swiftlet_sum(x) }
    @inline(__always) static func sums(_ a: I, _ b: I, _ c: I, _ d: I) -> SIMD4<Int32> { swiftlet_sums(a, b, c, d) }
    @inline(__always) static func sums(_ a: F, _ b: F, _ c: F, _ d: F) -> SIMD4<Float> {
      swiftlet_float_sums(a, b, c, d)
    }

    @inline(__always) static func lookUpVectors(
      count: Int, table: UnsafePointer<UInt8>, input: UnsafePointer<UInt8>, output: UnsafeMutablePointer<UInt8>
    ) -> Int {
      var index = 0
      while index &+ 16 <= count {
        swiftlet_store_16(swiftlet_look_up(table, swiftlet_load_16(input + index)), output + index)
        index &+= 16
      }
      return index
    }
  }
#endif
