import Foundation
import SwiftletMeasurement
import Testing

@Suite("Usage of the process", .enabled(if: ProcessUsage.now() != nil, "it is read from /proc/self"))
struct ProcessUsageTests {
  @Test("counts the files that are open, and not those it opens itself")
  func descriptors() throws {
    // Other tests open files meanwhile, but not a hundred at once.
    let before = try #require(ProcessUsage.now())
    var files: [FileHandle] = []
    for _ in 0..<200 { files.append(try #require(FileHandle(forReadingAtPath: "/dev/null"))) }
    let during = try #require(ProcessUsage.now())
    #expect((100...300).contains(during.descriptors - before.descriptors))
    for file in files { try file.close() }
    for _ in 0..<1000 { _ = ProcessUsage.now() }
    let after = try #require(ProcessUsage.now())
    #expect(after.descriptors < before.descriptors + 100)
  }

  @Test("sees memory that is used and threads that are there")
  func memoryAndThreads() throws {
    let before = try #require(ProcessUsage.now())
    #expect(before.threads >= 1 && before.residentBytes > 1 << 20)
    let size = 256 << 20
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 1)
    let after = try #require(ProcessUsage.now())
    #expect(after.residentBytes - before.residentBytes > size / 2)
  }
}
