import SwiftletCLibrary
import Testing

@testable import SwiftletKernels

@Suite("Kernel table")
struct KernelTableTests {
  @Test("a processor that lacks one variant keeps those above it", arguments: KernelTable.variants { _ in true })
  func lackingOneKeepsTheOthers(_ lacking: KernelTable) {
    let all = KernelTable.variants { _ in true }.map(\.name)
    let rest = KernelTable.variants { $0 != lacking.name }.map(\.name)
    #expect(rest == all.filter { $0 != lacking.name })
    #expect(rest.count == all.count - 1)
  }

  @Test("the portable variant is there for every processor, and first")
  func portableIsFirst() {
    #expect(KernelTable.available.first?.name == "portable")
    #expect(KernelTable.portable.name == "portable")
  }

  @Test("the table in use is the fastest one, or the one that was asked for")
  func current() {
    #expect(KernelTable.available.map(\.name).contains(KernelTable.current.name))
    if getenv("SWIFTLET_ISA") == nil { #expect(KernelTable.current.name == KernelTable.available.last?.name) }
  }

  #if arch(x86_64) && os(Linux) && canImport(Glibc)
    @Test("what the C library keeps of the processor is what the processor answers")
    func keptAnswers() {
      let kept = X86Processor { CPUIDLeaves.kept($0, $1) ?? CPUIDLeaves.asked($0, $1) }
      #expect(kept == X86Processor(CPUIDLeaves.asked))
      #expect(CPUIDLeaves.kept(7, 2) == nil)
      for (leaf, part) in [(1, 0), (7, 0), (0x8000_0001, 0), (7, 1)] as [(UInt32, UInt32)] {
        guard let kept = CPUIDLeaves.kept(leaf, part) else { continue }
        let asked = CPUIDLeaves.asked(leaf, part)
        // The first leaf also says which of the processor's cores was asked.
        if leaf != 1 { #expect(kept.ebx == asked.ebx) }
        #expect(kept.ecx == asked.ecx)
      }
    }
  #endif
}
