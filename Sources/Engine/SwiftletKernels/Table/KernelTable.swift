#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Every kernel in the variant for one instruction set.
///
/// Use `KernelTable.current`. Whatever is packed for one table is only understood by the same table.
package struct KernelTable: Sendable {
  /// `portable`, `avx2` or `avx512`: what reports and benchmarks print.
  package let name: String
  package let gemm: GemmKernels
  /// Products in reduced precision, on processors that have instructions for them.
  package let bfloat16: BFloat16Kernels?
  package let quantizedGemm: QuantizedGemmKernels
  package let depthwise: DepthwiseKernels
  package let elementwise: ElementwiseKernels
  package let pooling: PoolingKernels
  package let reduction: ReductionKernels
  package let bytes: ByteKernels
  package let quantization: QuantizationKernels
  package let resize: ResizeKernels
  package let movement: MovementKernels
  package let recurrent: RecurrentKernels
  package let winograd: WinogradKernels
  package let peak: PeakKernels

  /// The best variant this processor and operating system support, or the one that the environment variable
  /// `SWIFTLET_ISA` names if they support it. Chosen once.
  package static let current: KernelTable = {
    if let requested = getenv("SWIFTLET_ISA"), let table = named(String(cString: requested)) { return table }
    return available.last ?? portable
  }()

  /// The variants this processor supports, slowest first.
  package static let available: [KernelTable] = {
    var tables = [portable]
    #if arch(x86_64) && os(Linux)
      let processor = Processor.current
      if processor.supportsAVX2 { tables.append(avx2) }
      if processor.supportsAVX512 { tables.append(avx512) }
    #endif
    return tables
  }()

  /// The variant of that name, nil if there is none or this processor lacks it.
  package static func named(_ name: String) -> KernelTable? { available.first { $0.name == name } }
}

extension KernelTable {
  /// Without instructions beyond the compiler's baseline; on x86-64 its multiply-adds round the product before they
  /// add.
  package static let portable = KernelTable(
    name: "portable", gemm: .portable, bfloat16: nil, quantizedGemm: .portable, depthwise: .portable,
    elementwise: .portable, pooling: .portable, reduction: .portable, bytes: .portable, quantization: .portable,
    resize: .portable, movement: .portable, recurrent: .portable, winograd: .portable, peak: .portable)

  #if arch(x86_64) && os(Linux)
    static let avx2 = KernelTable(
      name: "avx2", gemm: .avx2, bfloat16: nil, quantizedGemm: .avx2, depthwise: .avx2, elementwise: .avx2,
      pooling: .avx2, reduction: .avx2, bytes: .avx2, quantization: .avx2, resize: .avx2, movement: .avx2,
      recurrent: .avx2, winograd: .avx2, peak: .avx2)
    static let avx512 = KernelTable(
      name: "avx512", gemm: .avx512, bfloat16: Processor.current.supportsBFloat16 ? .avx512 : nil,
      quantizedGemm: .avx512,
      depthwise: .avx512, elementwise: .avx512, pooling: .avx512, reduction: .avx512, bytes: .avx512,
      quantization: .avx512, resize: .avx512, movement: .avx512, recurrent: .avx512, winograd: .avx512,
      peak: .avx512)
  #endif
}
