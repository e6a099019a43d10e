import SwiftletBase
internal import SwiftletKernelSets

/// All kernels in the variant for one instruction set.
///
/// Use `KernelTable.current`. Data packed for one table can only be used with the same table.
package final class KernelTable: Sendable {
  /// The name for reports and benchmarks: `portable`, `avx2`, or `avx512`, for example.
  package let name: String
  package let gemm: GemmKernels
  /// The reduced-precision GEMM, on CPUs that have instructions for it.
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
  package let images: ImageKernels
  package let signal: SignalKernels

  private init(_ address: UnsafePointer<swiftlet_kernel_set>) {
    let set = EntryPoints(address: address)
    name = String(cString: set.call.name)
    gemm = GemmKernels(set: set)
    bfloat16 = set.call.bfloat16.flatMap { bfloat16 in
      Processor.supports(String(cString: bfloat16.pointee.name))
        ? BFloat16Kernels(set: EntryPoints(address: bfloat16), base: set) : nil
    }
    quantizedGemm = QuantizedGemmKernels(set: set)
    depthwise = DepthwiseKernels(set: set)
    elementwise = ElementwiseKernels(set: set)
    pooling = PoolingKernels(set: set)
    reduction = ReductionKernels(set: set)
    bytes = ByteKernels(set: set)
    quantization = QuantizationKernels(set: set)
    resize = ResizeKernels(set: set)
    movement = MovementKernels(set: set)
    recurrent = RecurrentKernels(set: set)
    winograd = WinogradKernels(set: set)
    images = ImageKernels(set: set)
    signal = SignalKernels(set: set)
  }

  /// The best variant that this CPU and operating system support, or the supported variant that the environment
  /// variable `SWIFTLET_ISA` names. Selected once.
  package static let current: KernelTable = {
    let requested = getenv("SWIFTLET_ISA").map { String(cString: $0) }
    return fastest { $0 == requested && Processor.supports($0) } ?? fastest(where: Processor.supports) ?? portable
  }()

  /// Returns the last variant with an accepted name. Other tables aren't created, because each one brings some of its
  /// code into memory.
  private static func fastest(where isWanted: (_ name: String) -> Bool) -> KernelTable? {
    var found: UnsafePointer<swiftlet_kernel_set>?
    var index = 0
    while let set = swiftlet_kernel_set_at(index) {
      if isWanted(String(cString: set.pointee.name)) { found = set }
      index += 1
    }
    return found.map { KernelTable($0) }
  }

  /// The variants that this CPU supports, slowest first.
  package static let available = variants(where: Processor.supports)

  /// Returns the variants with accepted names, slowest first. A CPU may lack a variant and still support a faster one:
  /// AVX-VNNI is newer than AVX-512.
  package static func variants(where isWanted: (_ name: String) -> Bool) -> [KernelTable] {
    var tables: [KernelTable] = []
    var index = 0
    while let set = swiftlet_kernel_set_at(index) {
      if isWanted(String(cString: set.pointee.name)) { tables.append(KernelTable(set)) }
      index += 1
    }
    return tables
  }

  /// The variant that uses only the compiler's baseline instructions. Its multiply-adds round the product before the
  /// addition.
  package static let portable = variants { $0 == "portable" }[0]

  /// Returns the variant with that name, or nil if it doesn't exist or the CPU doesn't support it.
  package static func named(_ name: String) -> KernelTable? { available.first { $0.name == name } }
}

/// The entry points of a kernel set, which exists as long as the program.
///
/// Unchecked `Sendable` because the set is constant.
struct EntryPoints<KernelSet>: @unchecked Sendable {
  let address: UnsafePointer<KernelSet>

  @inline(__always) var call: KernelSet { address.pointee }
}
