def memoize(function):
    known = {}

    def remembered(argument):
        found = known.get(argument)
        if found is not None:
            return found
        made = function(argument)
        known[argument] = made
        return made

    return remembered
