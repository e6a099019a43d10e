import SwiftletKernels
import SwiftletEngine
import Testing

@Suite("Instruction set")
struct InstructionSetTests {
  @Test("clients see the kernel sets and the one in use")
  func variantsAreNamed() {
    #expect(InstructionSet.available.map(\.rawValue) == KernelTable.available.map(\.name))
    #expect(InstructionSet.available.first == InstructionSet(rawValue: "portable"))
    #expect(InstructionSet.available.contains(.current))
    #expect("\(InstructionSet.current)" == KernelTable.current.name)
  }
}
