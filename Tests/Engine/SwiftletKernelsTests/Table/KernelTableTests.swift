import SwiftletKernels
import Testing

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
}
