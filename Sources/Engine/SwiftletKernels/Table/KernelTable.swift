import SwiftletBase
internal import SwiftletKernelSets

/// Every kernel in the variant for one instruction set.
///
/// Use `KernelTable.current`. Whatever is packed for one table is only understood by the same table.
package final class KernelTable: Sendable {
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

  private init(_ set: swiftlet_kernel_set) {
    name = String(cString: set.name)
    gemm = GemmKernels(set)
    bfloat16 = set.bfloat16.flatMap { bfloat16 in
      Processor.supports(String(cString: bfloat16.pointee.name)) ? BFloat16Kernels(bfloat16.pointee, base: set) : nil
    }
    quantizedGemm = QuantizedGemmKernels(set)
    depthwise = DepthwiseKernels(set)
    elementwise = ElementwiseKernels(set)
    pooling = PoolingKernels(set)
    reduction = ReductionKernels(set)
    bytes = ByteKernels(set)
    quantization = QuantizationKernels(set)
    resize = ResizeKernels(set)
    movement = MovementKernels(set)
    recurrent = RecurrentKernels(set)
    winograd = WinogradKernels(set)
    peak = PeakKernels(set)
  }

  /// The best variant this processor and operating system support, or the one that the environment variable
  /// `SWIFTLET_ISA` names if they support it. Chosen once.
  package static let current: KernelTable = {
    let requested = getenv("SWIFTLET_ISA").map { String(cString: $0) }
    return fastest { $0 == requested && Processor.supports($0) } ?? fastest(where: Processor.supports) ?? portable
  }()

  /// Returns the last variant whose name is wanted. The others' code is not touched: each table made brings some of it
  /// into memory.
  private static func fastest(where isWanted: (_ name: String) -> Bool) -> KernelTable? {
    var found: swiftlet_kernel_set?
    var index = 0
    while let set = swiftlet_kernel_set_at(index)?.pointee {
      if isWanted(String(cString: set.name)) { found = set }
      index += 1
    }
    return found.map { KernelTable($0) }
  }

  /// The variants this processor supports, slowest first.
  package static let available = variants(where: Processor.supports)

  /// Returns the variants of these names, slowest first. A processor may lack one and have a faster one: AVX-VNNI came
  /// later than AVX-512.
  package static func variants(where isWanted: (_ name: String) -> Bool) -> [KernelTable] {
    var tables: [KernelTable] = []
    var index = 0
    while let set = swiftlet_kernel_set_at(index)?.pointee {
      if isWanted(String(cString: set.name)) { tables.append(KernelTable(set)) }
      index += 1
    }
    return tables
  }

  /// Without instructions beyond the compiler's baseline; its multiply-adds round the product before they add.
  package static let portable = variants { $0 == "portable" }[0]

  /// Returns the variant of that name, nil if there is none or this processor lacks it.
  package static func named(_ name: String) -> KernelTable? { available.first { $0.name == name } }
}
