import SwiftletBase
import Testing

@testable import SwiftletKernels

@Suite("Kernel table")
struct KernelTableTests {
  @Test("a CPU that lacks one kernel set keeps the faster ones", arguments: KernelTable.variants { _ in true })
  func lackingOneKeepsTheOthers(_ lacking: KernelTable) {
    let all = KernelTable.variants { _ in true }.map(\.name)
    let rest = KernelTable.variants { $0 != lacking.name }.map(\.name)
    #expect(rest == all.filter { $0 != lacking.name })
    #expect(rest.count == all.count - 1)
  }

  @Test("the portable kernel set exists for every CPU, and is first")
  func portableIsFirst() {
    #expect(KernelTable.available.first?.name == "portable")
    #expect(KernelTable.portable.name == "portable")
  }

  @Test("the table in use is the fastest one, or the requested one")
  func current() {
    #expect(KernelTable.available.map(\.name).contains(KernelTable.current.name))
    if getenv("SWIFTLET_ISA") == nil { #expect(KernelTable.current.name == KernelTable.available.last?.name) }
  }

  #if arch(x86_64) && os(Linux) && canImport(Glibc)
    @Test("the C library's CPU features equal the CPUID results")
    func keptAnswers() {
      let kept = X86Processor { CPUIDLeaves.kept($0, $1) ?? CPUIDLeaves.asked($0, $1) }
      #expect(kept == X86Processor(CPUIDLeaves.asked))
      #expect(CPUIDLeaves.kept(7, 2) == nil)
      for (leaf, part) in [(1, 0), (7, 0), (0x8000_0001, 0), (7, 1)] as [(UInt32, UInt32)] {
        guard let kept = CPUIDLeaves.kept(leaf, part) else { continue }
        let asked = CPUIDLeaves.asked(leaf, part)
        // The first leaf also identifies the core that executed the instruction.
        if leaf != 1 { #expect(kept.ebx == asked.ebx) }
        #expect(kept.ecx == asked.ecx)
      }
    }
  #endif
}

#if arch(x86_64) && !os(Windows)
  /// The CPUID results of a CPU with exactly the features that kernels need, unless a test removes some of them.
  ///
  /// - Source: The feature bits of leaves 1, 7, and 0x80000001 in the manuals of the instruction CPUID.
  private struct Answers {
    var highest: UInt32 = 7
    var highestExtended: UInt32 = 0x8000_0001
    /// SSE3, SSSE3, FMA, SSE4.1, SSE4.2, MOVBE, POPCNT, OSXSAVE, AVX, F16C.
    var basic = Answers.bits([0, 9, 12, 19, 20, 22, 23, 27, 28, 29])
    /// BMI1, AVX2, BMI2; AVX-512 F, DQ, CD, BW, VL.
    var features = Answers.bits([3, 5, 8, 16, 17, 28, 30, 31])
    /// AVX-512 VNNI.
    var furtherFeatures = Answers.bits([11])
    var highestPart: UInt32 = 1
    /// AVX-VNNI, AVX-512 BF16.
    var lastFeatures = Answers.bits([4, 5])
    /// LZCNT.
    var extended = Answers.bits([5])

    static func bits(_ places: [UInt32]) -> UInt32 { places.reduce(0) { $0 | 1 << $1 } }

    var processor: X86Processor {
      X86Processor { number, part in
        var registers = CPUIDLeaves.asked(0, 0)
        (registers.eax, registers.ebx, registers.ecx) =
          switch (number, part) {
          case (0, 0): (highest, 0, 0)
          case (1, 0): (0, 0, basic)
          case (7, 0): (highestPart, features, furtherFeatures)
          case (7, 1): (lastFeatures, 0, 0)
          case (0x8000_0000, 0): (highestExtended, 0, 0)
          case (0x8000_0001, 0): (0, 0, extended)
          default: (0, 0, 0)
          }
        return registers
      }
    }
  }

  /// The set of registers that the system saves is a property of this machine. AVX-512 is only reported if all are
  /// saved.
  @Suite("Kernel selection by CPU", .enabled(if: X86Processor.current.supportsAVX2))
  struct ProcessorTests {
    private static let whole = Answers().processor

    private func changed(_ change: (inout Answers) -> Void) -> X86Processor {
      var answers = Answers()
      change(&answers)
      return answers.processor
    }

    @Test("sufficient features are accepted")
    func takesEverything() {
      #expect(Self.whole.supportsAVX2)
      #expect(Self.whole.supportsAVXVNNI)
      #expect(Self.whole.supportsBFloat16 == Self.whole.supportsAVX512)
    }

    @Test("every baseline feature is required")
    func lacksAll() {
      let lacking =
        [0, 9, 12, 19, 20, 22, 23, 27, 28, 29].map { place in changed { $0.basic ^= 1 << place } }
        + [3, 5, 8].map { place in changed { $0.features ^= 1 << place } }
        + [changed { $0.extended = 0 }, changed { $0.highest = 6 }, changed { $0.highestExtended = 0x8000_0000 }]
      for (index, processor) in lacking.enumerated() {
        let hasAny =
          processor.supportsAVX2 || processor.supportsAVXVNNI || processor.supportsAVX512 || processor.supportsBFloat16
        #expect(!hasAny, "without feature \(index)")
      }
    }

    @Test("every AVX-512 feature is required")
    func lacksWideVectors() {
      let lacking =
        [16, 17, 28, 30, 31].map { place in changed { $0.features ^= 1 << place } }
        + [changed { $0.furtherFeatures = 0 }]
      for (index, processor) in lacking.enumerated() {
        #expect(processor.supportsAVX2 && processor.supportsAVXVNNI)
        let hasWide = processor.supportsAVX512 || processor.supportsBFloat16
        #expect(!hasWide, "without feature \(index)")
      }
    }

    @Test("dot products are reported in the second subleaf")
    func dotProducts() {
      let narrow = changed { $0.lastFeatures = 1 << 4 }, wide = changed { $0.lastFeatures = 1 << 5 }
      #expect(narrow.supportsAVXVNNI && !narrow.supportsBFloat16)
      #expect(!wide.supportsAVXVNNI && wide.supportsBFloat16 == Self.whole.supportsBFloat16)
      let none = changed { $0.highestPart = 0 }
      #expect(none.supportsAVX2 && !none.supportsAVXVNNI && !none.supportsBFloat16)
    }

    @Test("kernel sets are found by name")
    func names() {
      let current = X86Processor.current
      #expect(Processor.supports("portable"))
      #expect(Processor.supports("avx2") == current.supportsAVX2)
      #expect(Processor.supports("avxvnni") == current.supportsAVXVNNI)
      #expect(Processor.supports("avx512") == current.supportsAVX512)
      #expect(Processor.supports("avx512bf16") == current.supportsBFloat16)
      #expect(!Processor.supports("neon") && !Processor.supports("AVX2") && !Processor.supports(""))
      #expect(KernelTable.named("avx2")?.name == "avx2")
      #expect(KernelTable.named("none") == nil)
    }
  }
#endif
