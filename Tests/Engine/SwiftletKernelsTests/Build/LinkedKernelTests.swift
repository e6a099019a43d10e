#if os(Linux) && (arch(x86_64) || arch(arm64))
  import Foundation
  import SwiftletTestSupport
  import Testing

  /// Checks the portable kernels of this program, in whatever configuration it was built: bit-exact numerics and every
  /// CPU without a set of its own run them.
  @Suite("Linked portable kernels")
  struct LinkedKernelTests {
    static let disassembler: String? = {
      guard let (status, output) = try? OtherProgram.run("/usr/bin/env", ["which", "llvm-objdump"]), status == 0 else {
        return nil
      }
      return output.trimmingCharacters(in: .whitespacesAndNewlines)
    }()

    struct Instruction {
      let mnemonic: Substring
      let operands: Substring
    }

    /// Returns the instructions of this program's portable kernels by name.
    static func disassembled() throws -> [String: [Instruction]] {
      let names = try file.exportedNames.sorted()
      // In another program, the link would refer to that program.
      let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      let (status, output) = try OtherProgram.run(
        try #require(disassembler),
        ["-d", "--no-show-raw-insn", "--disassemble-symbols=\(names.joined(separator: ","))", program])
      try #require(status == 0)
      var kernels: [String: [Instruction]] = [:]
      var name = ""
      for line in output.split(separator: "\n") {
        if line.hasSuffix(">:"), let start = line.firstIndex(of: "<") {
          name = String(line[line.index(after: start)...].dropLast(2))
          kernels[name] = []
        } else if let fields = line.wholeMatch(of: /\s*[0-9a-f]+:\s+(\S+)(?:\s+(.*))?/) {
          kernels[name]?.append(Instruction(mnemonic: fields.1, operands: fields.2 ?? ""))
        }
      }
      try #require(Set(kernels.keys) == Set(names))
      return kernels
    }

    /// The checked-in assembly of this CPU's portable kernels.
    static var file: AssemblyFile {
      get throws {
        #if arch(x86_64)
          try #require(AssemblyFile.all.first { $0.level == "portable_x86_64" })
        #else
          try #require(AssemblyFile.all.first { $0.level == "portable_arm64" })
        #endif
      }
    }

    /// Whether the kernels are assembly. Sanitizers need kernels that are compiled with the package.
    static let areAssembly = ProcessInfo.processInfo.environment["SWIFTLET_COMPILES_KERNELS"] == nil

    @Test(
      "they don't call, trap, or leave the kernel, and multiply full vectors",
      .enabled(if: areAssembly, "kernels are compiled with the package"),
      .enabled(if: disassembler != nil, "needs llvm-objdump of the Swift toolchain"))
    func kernelsAreLeaves() throws {
      let file = try Self.file
      var vectorProducts = 0
      for (name, instructions) in try Self.disassembled() {
        #expect(instructions.contains { $0.mnemonic.hasPrefix("ret") }, "\(name)")
        for instruction in instructions {
          #expect(!file.callsOrTraps(instruction.mnemonic), "\(name): \(instruction)")
          if file.jumps(instruction.mnemonic), !instruction.operands.hasPrefix("*") {
            #expect(instruction.operands.contains("<\(name)"), "\(name): \(instruction)")
          }
          let isVector =
            instruction.mnemonic == "mulps" || instruction.mnemonic == "fmul" && instruction.operands.contains(".4s")
          if name.hasSuffix("gemm_f32"), isVector { vectorProducts += 1 }
        }
      }
      #expect(vectorProducts > 30)
    }
  }
#endif
