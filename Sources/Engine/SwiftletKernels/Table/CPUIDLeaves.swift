#if arch(x86_64) && !os(Windows)
  import SwiftletBase
  internal import SwiftletKernelSets

  /// The results of the CPUID instruction, by leaf and part.
  ///
  /// In a virtual machine, every CPUID instruction exits to the hypervisor, which takes about ten microseconds. Six of
  /// them are a tenth of a small model's load time. glibc runs the same instructions at the start of every process and
  /// keeps the results.
  enum CPUIDLeaves {
    /// Returns the result of the CPUID instruction.
    static func asked(_ leaf: UInt32, _ part: UInt32) -> swiftlet_cpuid_registers {
      var registers = swiftlet_cpuid_registers()
      swiftlet_cpuid(leaf, part, &registers)
      return registers
    }

    /// Returns the result that the C library has kept; `nil` if it keeps none.
    static func kept(_ leaf: UInt32, _ part: UInt32) -> swiftlet_cpuid_registers? {
      #if os(Linux) && canImport(Glibc)
        guard let feature = featureLeaf else { return nil }
        switch (leaf, part) {
        // The C library has no entry for the number of leaves, so return the highest ones. Leaves that the CPU lacks
        // are zero, which is the only purpose of the number.
        case (0, 0): return swiftlet_cpuid_registers(eax: 7, ebx: 0, ecx: 0, edx: 0)
        case (0x8000_0000, 0): return swiftlet_cpuid_registers(eax: 0x8000_0001, ebx: 0, ecx: 0, edx: 0)
        // The numbers of glibc's entries are part of its ABI.
        case (1, 0): return registers(feature(0))
        case (7, 0): return registers(feature(1))
        case (0x8000_0001, 0): return registers(feature(2))
        case (7, 1): return registers(feature(6))
        default: return nil
        }
      #else
        return nil
      #endif
    }

    #if os(Linux) && canImport(Glibc)
      private typealias FeatureLeaf = @convention(c) (UInt32) -> UnsafePointer<UInt32>?

      /// The function that glibc's macros for CPU features call, available since glibc 2.33.
      private static let featureLeaf: FeatureLeaf? = {
        guard let symbol = dlsym(nil, "__x86_get_cpuid_feature_leaf") else { return nil }
        return unsafeBitCast(symbol, to: FeatureLeaf.self)
      }()

      /// Returns the registers, which are the first four words of an entry.
      private static func registers(_ entry: UnsafePointer<UInt32>?) -> swiftlet_cpuid_registers? {
        entry.map { swiftlet_cpuid_registers(eax: $0[0], ebx: $0[1], ecx: $0[2], edx: $0[3]) }
      }
    #endif
  }
#endif
