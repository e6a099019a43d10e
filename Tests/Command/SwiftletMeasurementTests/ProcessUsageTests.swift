import Foundation
import SwiftletMeasurement
import Testing

/// Other tests open hundreds of files and take memory in the same process at the same time. One sample at a quiet
/// moment is enough, because an incorrect count never passes.
@Suite("Process usage", .enabled(if: ProcessUsage.now() != nil, "it is read from /proc/self"))
struct ProcessUsageTests {
  private static let looks = 100

  @Test("counts the files that are open")
  func descriptors() throws {
    let counts = try (0..<Self.looks).map { _ in
      let before = try #require(ProcessUsage.now())
      let files = (0..<200).compactMap { _ in FileHandle(forReadingAtPath: "/dev/null") }
      let during = try #require(ProcessUsage.now())
      for file in files { try file.close() }
      return during.descriptors - before.descriptors
    }
    #expect(counts.contains(200), "\(counts)")
  }

  @Test("keeps no file open itself")
  func ownDescriptors() throws {
    let counts = try (0..<Self.looks).map { _ in
      let before = try #require(ProcessUsage.now())
      for _ in 0..<10 { _ = ProcessUsage.now() }
      return try #require(ProcessUsage.now()).descriptors - before.descriptors
    }
    #expect(counts.contains { $0 <= 0 }, "\(counts)")
  }

  @Test("reports used memory and existing threads")
  func memoryAndThreads() throws {
    let size = 64 << 20
    var growth: [Int] = []
    while growth.count < 20, !growth.contains(where: { $0 > size / 2 && $0 < 2 * size }) {
      let before = try #require(ProcessUsage.now())
      #expect(before.threads >= 1 && before.residentBytes > 1 << 20)
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
      memory.initializeMemory(as: UInt8.self, repeating: 1)
      growth.append(try #require(ProcessUsage.now()).residentBytes - before.residentBytes)
      memory.deallocate()
    }
    #expect(growth.contains { $0 > size / 2 && $0 < 2 * size }, "\(growth)")
  }
}
