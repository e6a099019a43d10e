import SwiftletKernels
import SwiftletEngine
import Testing

@Suite("Instruction set")
struct InstructionSetTests {
  @Test("every variant of the kernels has a name that clients know")
  func variantsHaveNames() {
    for table in KernelTable.available { #expect(InstructionSet(rawValue: table.name) != nil, "\(table.name)") }
    #expect(InstructionSet.current.rawValue == KernelTable.current.name)
  }
}
