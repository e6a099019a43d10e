/// The source of a campaign's cases. A case is identified by the kind, a seed, and a number.
package enum CampaignKind: String, Sendable, CaseIterable {
  /// Models of the golden tensors and generated graphs, mutated through the schema.
  case mutants
  /// Generated graphs.
  case graphs
  /// Models for tasks, valid or nearly valid.
  case tasks
  /// Task bundles, valid or nearly valid.
  case bundles
  /// WAV files, valid or nearly valid.
  case sounds
  /// Models for text tasks, valid or nearly valid.
  case texts

  /// Returns the model, bundle, or audio file of a case, which always has the same bytes.
  package func model(seed: UInt64, case number: Int) -> [UInt8] {
    switch self {
    case .graphs: return GraphGenerator.model(seed: seed, case: number).bytes
    case .tasks: return TaskModels.model(seed: seed, case: number)
    case .bundles: return BundleModels.bundle(seed: seed, case: number)
    case .sounds: return SoundFiles.file(seed: seed, case: number)
    case .texts: return TextModels.model(seed: seed, case: number)
    case .mutants:
      var random = FuzzRandom(seed: seed, case: number)
      var model =
        random.oneIn(4)
        ? GraphGenerator.model(FuzzRandom(seed: random.next())) : random.pick(SeedModels.parsed) ?? FuzzModel()
      var mutator = ModelMutator(FuzzRandom(seed: random.next()), donor: random.pick(SeedModels.parsed))
      mutator.mutate(&model)
      return model.bytes
    }
  }

  /// Runs the model of a case.
  func outcome(_ bytes: [UInt8]) -> CampaignWorker.Outcome {
    switch self {
    case .mutants, .graphs: ModelTrial().run(bytes)
    case .tasks: TaskTrial().run(bytes)
    case .bundles: BundleTrial().run(bytes)
    case .sounds: SoundTrial().run(bytes)
    case .texts: TextTrial().run(bytes)
    }
  }
}
