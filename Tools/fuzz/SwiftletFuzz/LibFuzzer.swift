#if FUZZING
  import Foundation
  import SwiftletBase
  import SwiftletFuzzing

  @_silgen_name("LLVMFuzzerRunDriver")
  private func runDriver(
    _ count: UnsafeMutablePointer<Int32>,
    _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
  ) -> Int32

  @_silgen_name("LLVMFuzzerMutate")
  private func mutateBytes(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ capacity: Int) -> Int

  /// libFuzzer, which searches for inputs that reach more code. It calls global C functions, which cannot belong to a
  /// value.
  enum LibFuzzer {
    nonisolated(unsafe) fileprivate static var target = FuzzTarget.model

    /// Runs until libFuzzer ends; its options are the command line's arguments after the name.
    static func run(_ name: String) -> Int32 {
      guard let target = FuzzTarget.named(name) else { return 2 }
      self.target = target
      // The program's name comes first, followed by libFuzzer's own arguments.
      let words = [CommandLine.arguments[0]] + CommandLine.arguments.dropFirst(3)
      var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
      var count = Int32(words.count)
      return pointers.withUnsafeMutableBufferPointer { buffer in
        guard var start = buffer.baseAddress else { return 2 }
        return runDriver(&count, &start) { data, size in
          LibFuzzer.target.run(UnsafeRawBufferPointer(start: data, count: size))
          return 0
        }
      }
    }
  }

  /// Mutates a model through its schema. Other inputs, and one in eight models, are mutated by bytes.
  @_cdecl("LLVMFuzzerCustomMutator")
  package func customMutator(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ capacity: Int, _ seed: UInt32) -> Int {
    var random = FuzzRandom(seed: UInt64(seed))
    guard LibFuzzer.target.name == FuzzTarget.model.name, random.below(8) > 0 else {
      return mutateBytes(data, size, capacity)
    }
    let region = ByteRegion(Array(UnsafeBufferPointer(start: data, count: size)))
    guard var model = FuzzModel(reading: region) ?? random.pick(SeedModels.parsed) else {
      return mutateBytes(data, size, capacity)
    }
    var mutator = ModelMutator(FuzzRandom(seed: random.next()), donor: random.pick(SeedModels.parsed))
    mutator.mutate(&model)
    return write(model.bytes, to: data, capacity) ?? mutateBytes(data, size, capacity)
  }

  /// Inserts a part of one model into another.
  @_cdecl("LLVMFuzzerCustomCrossOver")
  package func customCrossOver(
    _ first: UnsafePointer<UInt8>, _ firstSize: Int, _ second: UnsafePointer<UInt8>, _ secondSize: Int,
    _ out: UnsafeMutablePointer<UInt8>,
    _ capacity: Int, _ seed: UInt32
  ) -> Int {
    let left = Array(UnsafeBufferPointer(start: first, count: firstSize)),
      right = Array(UnsafeBufferPointer(start: second, count: secondSize))
    if LibFuzzer.target.name == FuzzTarget.model.name, var model = FuzzModel(reading: ByteRegion(left)) {
      var mutator = ModelMutator(FuzzRandom(seed: UInt64(seed)), donor: FuzzModel(reading: ByteRegion(right)))
      mutator.splice(&model)
      if let count = write(model.bytes, to: out, capacity) { return count }
    }
    var random = FuzzRandom(seed: UInt64(seed))
    let mixed = Array(left.prefix(random.below(left.count + 1)) + right.suffix(random.below(right.count + 1)))
    return write(mixed, to: out, capacity) ?? 0
  }

  private func write(_ bytes: [UInt8], to data: UnsafeMutablePointer<UInt8>, _ capacity: Int) -> Int? {
    guard bytes.count <= capacity else { return nil }
    for (index, byte) in bytes.enumerated() { data[index] = byte }
    return bytes.count
  }
#endif
