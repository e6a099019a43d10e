import SwiftletAudio
import SwiftletBase
import SwiftletFuzzing
import SwiftletEngine
import SwiftletSchema
import SwiftletTestSupport
import Testing

@Suite("Models mutated through their schema")
struct ModelMutationTests {
  @Test("round-trip unchanged")
  func roundTrip() throws {
    #expect(SeedModels.golden.count > 2000)
    for bytes in SeedModels.golden {
      let model = try #require(FuzzModel(reading: ByteRegion(bytes)))
      let written = model.bytes
      let again = try #require(FuzzModel(reading: ByteRegion(written)))
      #expect(again.description == model.description)
      let (before, after) = (try ModelFile(ByteRegion(bytes)), try ModelFile(ByteRegion(written)))
      #expect(before.operatorCodes == after.operatorCodes)
      #expect(before.signatures == after.signatures)
      for (old, new) in zip(before.subgraphs, after.subgraphs) {
        #expect(old.inputs == new.inputs && old.outputs == new.outputs)
        #expect(old.operators.map(\.namedOptions) == new.operators.map(\.namedOptions))
        #expect(
          old.tensors.map(\.shape) == new.tensors.map(\.shape) && old.tensors.map(\.type) == new.tensors.map(\.type))
        #expect(old.tensors.map(\.quantization) == new.tensors.map(\.quantization))
        #expect(old.tensors.map(\.sparsity) == new.tensors.map(\.sparsity))
      }
    }
  }

  /// Bundles are excluded, because they are too large for as many rounds.
  static let kinds = CampaignKind.allCases.filter { $0 != .bundles }

  @Test("are reproducible for a seed and number, and different for others", arguments: kinds)
  func areRepeatable(kind: CampaignKind) {
    let models = (0..<40).map { kind.model(seed: 5, case: $0) }
    #expect(models == (0..<40).map { kind.model(seed: 5, case: $0) })
    #expect(Set(models).count > 35)
    #expect(Set(models).isDisjoint(with: (0..<40).map { kind.model(seed: 6, case: $0) }))
  }

  @Test("often reach the engine and complete a run", arguments: kinds.filter { $0 != .sounds })
  func getFar(kind: CampaignKind) {
    let models = (0..<150).map { kind.model(seed: 3, case: $0) }
    let read = models.filter { (try? Model(bytes: $0)) != nil }
    #expect(read.count > 70)
  }

  @Test("bundles are reproducible for a seed and number, different for others, and mostly valid")
  func bundles() {
    let bundles = (0..<8).map { CampaignKind.bundles.model(seed: 5, case: $0) }
    #expect(bundles[3] == CampaignKind.bundles.model(seed: 5, case: 3))
    #expect(bundles[3] != CampaignKind.bundles.model(seed: 6, case: 3))
    #expect(bundles.count { (try? TaskBundle(ByteRegion($0))) != nil } > 3)
  }

  @Test("many sounds are valid, and many are not")
  func sounds() {
    let sounds = (0..<200).map { CampaignKind.sounds.model(seed: 3, case: $0) }
    #expect((60..<180).contains(sounds.count { (try? AudioClip(wav: $0)) != nil }))
  }
}

@Suite("Fuzz targets")
struct FuzzTargetTests {
  @Test(
    "accept their own seeds, also truncated or with a changed byte",
    arguments: FuzzTarget.all.map(\.name).filter { $0 != "model" })
  func takeSeeds(name: String) throws {
    let target = try #require(FuzzTarget.named(name))
    let seeds = target.seeds()
    #expect(!seeds.isEmpty)
    var random = FuzzRandom(seed: 9)
    for seed in seeds.prefix(4) {
      seed.withUnsafeBytes { target.run($0) }
      for _ in 0..<12 where !seed.isEmpty {
        var bytes = seed
        bytes[random.below(bytes.count)] = UInt8(random.below(256))
        if random.oneIn(2) { bytes.removeLast(random.below(bytes.count)) }
        bytes.withUnsafeBytes { target.run($0) }
      }
    }
  }
}
