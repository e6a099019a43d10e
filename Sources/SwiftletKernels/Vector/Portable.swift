/// Plain Swift for every processor: NEON-sized pairs on arm64, SSE2-sized vectors on baseline x86-64.
///
/// Members are loops over lanes, which the optimiser turns into vector instructions here (and not where they are
/// reached from generic code). Baseline x86-64 has no fused multiply-add: `addingProduct` would be a library call
/// for every lane, so this is the one place that decides.
enum Portable: VectorISA {
  #if arch(arm64)
    typealias F = SIMD8<Float>
    typealias I = SIMD8<Int32>
    @inline(always) static var tileRows: Int { 6 }
    @inline(always) static func multiplyAdd(_ a: F, _ b: F, _ c: F) -> F { c.addingProduct(a, b) }
  #else
    typealias F = SIMD4<Float>
    typealias I = SIMD4<Int32>
    @inline(always) static var tileRows: Int { 4 }
    @inline(always) static func multiplyAdd(_ a: F, _ b: F, _ c: F) -> F { a * b + c }
  #endif

  @inline(always) static func maximum(_ a: F, _ b: F) -> F {
    var result = F()
    for lane in 0..<F.scalarCount { result[lane] = a[lane] > b[lane] ? a[lane] : b[lane] }
    return result
  }

  @inline(always) static func minimum(_ a: F, _ b: F) -> F {
    var result = F()
    for lane in 0..<F.scalarCount { result[lane] = a[lane] < b[lane] ? a[lane] : b[lane] }
    return result
  }

  @inline(always) static func storeFirst(_ count: Int, _ x: F, _ pointer: UnsafeMutableRawPointer) {
    for lane in 0..<F.scalarCount where lane < count {
      pointer.storeBytes(of: x[lane], toByteOffset: lane &* 4, as: Float.self)
    }
  }
}
