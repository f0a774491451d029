SCENES = {}
